package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.file.FlowSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "init",
    description = {
      "Writes a first flow to start from, and the schema with which editors complete and explain"
          + " its keys.",
      "It never changes an existing file."
    })
public final class InitVerb extends Verb {
  private static final String FILE = "first-order.yaml";
  private static final String SCHEMA = ".hapax/flow.schema.json";

  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      defaultValue = "flows",
      description = "Folder to write to (${DEFAULT-VALUE}).")
  String folder = "";

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    String name = Path.of(folder).resolve(FILE).toString();
    Path file = call.surroundings().path(name);
    try {
      Files.createDirectories(call.surroundings().path(folder));
      Files.writeString(file, firstFlow(), StandardOpenOption.CREATE_NEW);
      writeSchema(call.surroundings().path(folder).resolve(SCHEMA));
    } catch (FileAlreadyExistsException e) {
      throw Refusal.of(Exit.REFUSED, "exists", "'%s' already exists".formatted(e.getFile()))
          .hint("name another folder: hapax init FOLDER");
    }
    List<String> next =
        List.of(
            "hapax check " + name,
            "hapax serve --data hapax-data",
            "hapax push " + name + " --data hapax-data",
            "hapax release first-order --promote --data hapax-data",
            "hapax run first-order --input '{\"orderId\": \"A-1\", \"total\": 40}' --wait --data"
                + " hapax-data");
    var data = new LinkedHashMap<String, Object>();
    data.put("file", name);
    data.put("schema", Path.of(folder).resolve(SCHEMA).toString());
    data.put("next", next);
    return VerbAnswer.of(
        data, "wrote %s. Try next:%n  %s".formatted(name, String.join("\n  ", next)));
  }

  /** Editors find it by the first line of the flow, also without a network. */
  private static void writeSchema(Path schema) throws IOException {
    Files.createDirectories(schema.resolveSibling(""));
    if (!Files.exists(schema)) {
      Files.writeString(schema, FlowSchema.text(), StandardOpenOption.CREATE_NEW);
    }
  }

  private static String firstFlow() throws IOException {
    try (InputStream flow = InitVerb.class.getResourceAsStream(FILE)) {
      if (flow == null) {
        throw new IOException(FILE + " is missing in this program");
      }
      return new String(flow.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
