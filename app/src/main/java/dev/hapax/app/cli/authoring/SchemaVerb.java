package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.FileReplacement;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.file.FlowSchema;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "schema",
    description = {
      "Prints the JSON Schema of a kind of file: its keys, with descriptions and examples.",
      "Editors complete and explain keys with it. 'hapax init' writes it beside the first flow."
    },
    footer = {"", "Exit code 0: done; 2: the kind is unknown; 3: the file cannot be written."})
public final class SchemaVerb extends Verb {
  private static final String FLOW = "flow";
  private static final String CONNECTION = "connection";

  @Parameters(
      paramLabel = "KIND",
      arity = "0..1",
      defaultValue = "flow",
      description = "flow or connection (${DEFAULT-VALUE}).")
  String kind = FLOW;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the schema to this file.")
  @Nullable String out;

  @Option(names = "--print", description = "Print only the schema.")
  boolean print;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    String schema = schema();
    var data = new LinkedHashMap<String, Object>();
    data.put("kind", kind);
    if (out != null) {
      FileReplacement.write(call.surroundings().path(out), schema);
      data.put("file", out);
      return VerbAnswer.of(data, "wrote %s".formatted(out));
    }
    if (print) {
      call.output().raw(schema);
      return VerbAnswer.said(Exit.DONE);
    }
    data.put("schema", Json.tree(schema));
    return VerbAnswer.of(data, schema);
  }

  private String schema() throws IOException {
    return switch (kind) {
      case FLOW -> FlowSchema.text();
      case CONNECTION -> resource();
      default ->
          throw Refusal.usage("'%s' has no schema".formatted(kind))
              .hint("hapax schema %s | %s".formatted(FLOW, CONNECTION));
    };
  }

  private static String resource() throws IOException {
    String name = CONNECTION + ".schema.json";
    try (InputStream schema = SchemaVerb.class.getResourceAsStream(name)) {
      if (schema == null) {
        throw new IOException(name + " is missing in this program");
      }
      return new String(schema.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
