package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.Address;
import dev.hapax.app.cli.connection.Profile;
import dev.hapax.app.cli.connection.ProfileFile;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "profiles",
    description =
        "Manages profiles: servers by name, with their tokens, in a file that only you can read.")
public final class ProfilesVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("set", Set::new),
        new VerbEntry("use", Use::new),
        new VerbEntry("remove", Remove::new));
  }

  @Command(name = "list", description = "Lists the profiles. Tokens are not shown.")
  static final class List extends Verb {
    @Override
    public VerbAnswer answer(VerbCall call) {
      var file = new ProfileFile(call.surroundings());
      ProfileFile.Content content = file.read();
      var items = new ArrayList<Map<String, Object>>();
      var table = new Table("", "NAME", "URL", "TOKEN");
      content
          .profiles()
          .forEach(
              (name, profile) -> {
                boolean current = name.equals(content.current());
                items.add(told(name, profile, current));
                table.row(
                    current ? "*" : "",
                    name,
                    profile.url(),
                    profile.token() == null ? "none" : "kept");
              });
      return VerbAnswer.of(
              Map.of("items", items),
              table.text(
                  call.paint(), "no profiles yet; 'hapax profiles set NAME --url URL' stores one"))
          .meta("file", file.path().toString());
    }
  }

  @Command(
      name = "set",
      description = {
        "Stores a server under a name. The first profile becomes the current one.",
        "The token comes from HAPAX_TOKEN or from a file: on the command line, every user of the"
            + " machine could see it."
      })
  static final class Set extends Verb {
    @Parameters(paramLabel = "NAME", description = "Name of the profile.")
    String name = "";

    @Option(
        names = "--url",
        paramLabel = "URL",
        required = true,
        description = "Address of the server.")
    String url = "";

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "File with the token; - is standard input.")
    @Nullable String tokenFile;

    @Option(
        names = "--ca",
        paramLabel = "FILE",
        description = "PEM file with the authorities of the server's certificate.")
    @Nullable String ca;

    @Option(
        names = "--certificate",
        paramLabel = "FILE",
        description = "PEM file with your certificate and its key, if the server asks for one.")
    @Nullable String certificate;

    @Override
    public VerbAnswer answer(VerbCall call) throws IOException {
      var file = new ProfileFile(call.surroundings());
      ProfileFile.Content content = file.read();
      String address = Address.of(url).toString();
      String token =
          tokenFile == null
              ? call.surroundings().variable("HAPAX_TOKEN")
              : Inputs.text(tokenFile, call.surroundings()).strip();
      Surroundings around = call.surroundings();
      var profile =
          new Profile(address, token, absolute(around, ca), absolute(around, certificate));
      content.profiles().put(name, profile);
      String current = content.current() == null ? name : content.current();
      file.write(new ProfileFile.Content(current, content.profiles()));
      return VerbAnswer.of(
          told(name, profile, name.equals(current)),
          "stored profile '%s': %s, %s"
              .formatted(name, address, token == null ? "without a token" : "with a token"));
    }
  }

  /** Commands are given in other folders, too. */
  private static @Nullable String absolute(Surroundings around, @Nullable String file) {
    return file == null ? null : around.path(file).toAbsolutePath().normalize().toString();
  }

  @Command(name = "use", description = "Makes a profile the current one.")
  static final class Use extends Verb {
    @Parameters(paramLabel = "NAME", description = "Name of the profile.")
    String name = "";

    @Override
    public VerbAnswer answer(VerbCall call) throws IOException {
      var file = new ProfileFile(call.surroundings());
      ProfileFile.Content content = file.read();
      Profile profile = content.profile(name);
      file.write(new ProfileFile.Content(name, content.profiles()));
      return VerbAnswer.of(
          told(name, profile, true), "commands now go to '%s', %s".formatted(name, profile.url()));
    }
  }

  @Command(name = "remove", description = "Removes a profile and its token.")
  static final class Remove extends Verb {
    @Parameters(paramLabel = "NAME", description = "Name of the profile.")
    String name = "";

    @Override
    public VerbAnswer answer(VerbCall call) throws IOException {
      var file = new ProfileFile(call.surroundings());
      ProfileFile.Content content = file.read();
      Profile profile = content.profile(name);
      content.profiles().remove(name);
      String current = name.equals(content.current()) ? null : content.current();
      file.write(new ProfileFile.Content(current, content.profiles()));
      return VerbAnswer.of(told(name, profile, false), "removed profile '%s'".formatted(name));
    }
  }

  private static Map<String, Object> told(String name, Profile profile, boolean current) {
    var told = new LinkedHashMap<String, Object>();
    told.put("name", name);
    told.put("url", profile.url());
    told.put("hasToken", profile.token() != null);
    told.put("current", current);
    if (profile.ca() != null) {
      told.put("ca", profile.ca());
    }
    if (profile.certificate() != null) {
      told.put("certificate", profile.certificate());
    }
    return told;
  }
}
