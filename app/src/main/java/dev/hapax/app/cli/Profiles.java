package dev.hapax.app.cli;

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
    description = "Servers by name, with their tokens, in a file that only you can read.")
final class Profiles extends Group {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("set", Set::new),
        new VerbEntry("use", Use::new),
        new VerbEntry("remove", Remove::new));
  }

  @Command(name = "list", description = "Lists the profiles. Tokens are not shown.")
  static final class List extends Verb {
    @Override
    protected Answer answer(Call call) {
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
      return Answer.of(
              Map.of("items", items),
              table.text(
                  call.paint(), "no profiles yet; 'hapax profiles set NAME --url URL' keeps one"))
          .meta("file", file.path().toString());
    }
  }

  @Command(
      name = "set",
      description = {
        "Keeps a server by name. The first profile becomes the current one.",
        "The token comes from HAPAX_TOKEN, or from a file: on the command line every user of the"
            + " machine could see it."
      })
  static final class Set extends Verb {
    @Parameters(paramLabel = "NAME", description = "What to call it.")
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
        description = "Holds the token; - is standard input.")
    @Nullable String tokenFile;

    @Override
    protected Answer answer(Call call) throws IOException {
      var file = new ProfileFile(call.surroundings());
      ProfileFile.Content content = file.read();
      String address = Address.of(url).toString();
      String token =
          tokenFile == null
              ? call.surroundings().variable("HAPAX_TOKEN")
              : Inputs.text(tokenFile, call.surroundings()).strip();
      var profile = new Profile(address, token);
      content.profiles().put(name, profile);
      String current = content.current() == null ? name : content.current();
      file.write(new ProfileFile.Content(current, content.profiles()));
      return Answer.of(
          told(name, profile, name.equals(current)),
          "profile '%s' is kept: %s, %s"
              .formatted(name, address, token == null ? "without a token" : "with a token"));
    }
  }

  @Command(name = "use", description = "Makes a profile the current one.")
  static final class Use extends Verb {
    @Parameters(paramLabel = "NAME", description = "Name of the profile.")
    String name = "";

    @Override
    protected Answer answer(Call call) throws IOException {
      var file = new ProfileFile(call.surroundings());
      ProfileFile.Content content = file.read();
      Profile profile = called(name, content);
      file.write(new ProfileFile.Content(name, content.profiles()));
      return Answer.of(
          told(name, profile, true), "commands now go to '%s', %s".formatted(name, profile.url()));
    }
  }

  @Command(name = "remove", description = "Forgets a profile and its token.")
  static final class Remove extends Verb {
    @Parameters(paramLabel = "NAME", description = "Name of the profile.")
    String name = "";

    @Override
    protected Answer answer(Call call) throws IOException {
      var file = new ProfileFile(call.surroundings());
      ProfileFile.Content content = file.read();
      Profile profile = called(name, content);
      content.profiles().remove(name);
      String current = name.equals(content.current()) ? null : content.current();
      file.write(new ProfileFile.Content(current, content.profiles()));
      return Answer.of(told(name, profile, false), "profile '%s' is forgotten".formatted(name));
    }
  }

  static Profile called(String name, ProfileFile.Content content) {
    Profile profile = content.profiles().get(name);
    if (profile == null) {
      throw Refusal.of(
              Exit.NOT_FOUND, "profile-not-found", "there is no profile '%s'".formatted(name))
          .details(Map.of("profiles", content.profiles().keySet()))
          .hint("hapax profiles list");
    }
    return profile;
  }

  private static Map<String, Object> told(String name, Profile profile, boolean current) {
    var told = new LinkedHashMap<String, Object>();
    told.put("name", name);
    told.put("url", profile.url());
    told.put("hasToken", profile.token() != null);
    told.put("current", current);
    return told;
  }
}
