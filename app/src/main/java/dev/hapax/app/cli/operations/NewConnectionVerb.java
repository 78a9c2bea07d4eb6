package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerOptions;
import dev.hapax.app.cli.connection.Target;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Root;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.preset.Preset;
import dev.hapax.flows.preset.PresetText;
import dev.hapax.flows.preset.Presets;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "new",
    description = {
      "Writes a connection from a preset: its address, limits, keys and window, as the provider"
          + " documents them.",
      "Without --out it asks for the secrets, and writes them and the connection to the server. It"
          + " replaces no connection and no secret. With --out it writes a file to read and to change,"
          + " and needs no server."
    },
    footer = {
      "",
      "A secret is typed without echo, or comes from --secret-file or a pipe; never from the command"
          + " line."
    })
final class NewConnectionVerb extends Verb {
  @Mixin ServerOptions options = new ServerOptions();

  @Parameters(paramLabel = "PRESET", description = "The provider; see 'hapax connections presets'.")
  String preset = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the connection (the preset's name).")
  @Nullable String name;

  @Option(
      names = "--set",
      paramLabel = "VALUE=TEXT",
      description = "Something that only you know, such as shop=my-shop; may be repeated.")
  Map<String, String> values = new LinkedHashMap<>();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write a file instead; it must not exist yet.")
  @Nullable String out;

  @Option(
      names = "--secret-file",
      paramLabel = "SECRET=FILE",
      description =
          "File with a secret, by the end of its name, such as key=stripe.key; - is standard input. May"
              + " be repeated.")
  Map<String, String> secretFiles = new LinkedHashMap<>();

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    Preset found = found();
    String connection = name == null ? found.preset() : name;
    PresetText text;
    try {
      text = new PresetText(found, connection, values);
    } catch (IllegalArgumentException e) {
      throw Refusal.usage(String.valueOf(e.getMessage()))
          .hint("give values with --set VALUE=TEXT, and a name with --name");
    }
    return out == null
        ? push(call, found, connection, text)
        : write(call, found, connection, text, out);
  }

  private Preset found() {
    try {
      return Presets.of(preset);
    } catch (IllegalArgumentException e) {
      throw Refusal.of(Exit.NOT_FOUND, "unknown-preset", String.valueOf(e.getMessage()))
          .hint("hapax connections presets lists them");
    }
  }

  private VerbAnswer write(
      VerbCall call, Preset found, String connection, PresetText text, String file)
      throws IOException {
    if (!secretFiles.isEmpty()) {
      throw Refusal.usage("--secret-file does not fit --out: a file holds no secrets")
          .hint("hapax secrets put " + connection + "-NAME");
    }
    Path path = call.surroundings().path(file);
    try {
      Path folder = path.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(path, text.file(), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw Refusal.of(Exit.REFUSED, "exists", "'%s' already exists".formatted(e.getFile()))
          .hint("name another file with --out");
    }
    var next = new ArrayList<String>();
    found
        .secrets()
        .forEach(secret -> next.add("hapax secrets put " + Preset.secretOf(connection, secret)));
    next.add("hapax connections put %s @%s".formatted(connection, file));
    next.add("hapax connections test " + connection);
    var data = data(found, connection);
    data.put("file", file);
    data.put("next", next);
    return VerbAnswer.of(
        data, "wrote %s. Read it, then:%n  %s".formatted(file, String.join("\n  ", next)));
  }

  private VerbAnswer push(VerbCall call, Preset found, String connection, PresetText text)
      throws IOException {
    var server =
        new ServerClient(
            Target.of(
                options.orElse(((Root) spec.root().userObject()).serverOptions()),
                call.surroundings()));
    var pushed = new PresetPush(server, found, connection, call.surroundings(), secretFiles);
    PresetPush.Done done = pushed.push(text.settings());
    var data = data(found, connection);
    data.put("secrets", done.secrets());
    data.put("missing", done.missing());
    data.put("next", done.next());
    String lines =
        done.next().isEmpty() ? "" : "%nNext:%n  %s".formatted(String.join("\n  ", done.next()));
    return VerbAnswer.of(
            data,
            "wrote connection '%s' and %s%s"
                .formatted(connection, secretsIn(done.secrets()), lines))
        .meta("server", server.url());
  }

  private static String secretsIn(List<String> written) {
    return written.isEmpty() ? "no secret" : "secrets " + String.join(", ", written);
  }

  private static Map<String, Object> data(Preset found, String connection) {
    var data = new LinkedHashMap<String, Object>();
    data.put("name", connection);
    data.put("preset", found.preset());
    data.put("assumed", found.assumed());
    data.put("notes", found.notes());
    return data;
  }
}
