package dev.hapax.app.cli;

import dev.hapax.run.Fingerprint;
import dev.hapax.run.RunId;
import java.io.IOException;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "id",
    description = {
      "Computes the id of the run of a flow and a key, without asking a server.",
      "Whether there is such a run, 'hapax runs show' tells."
    })
final class Id extends Verb {
  @Parameters(index = "0", paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Key of the run.")
  String key = "";

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "Whose run (${DEFAULT-VALUE}).")
  String tenant = "";

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description =
          "The input, for a flow with 'conflict: new': text, @FILE, or - for standard input.")
  @Nullable String input;

  @Override
  protected Answer answer(Call call) throws IOException {
    String json = input == null ? null : Inputs.json(input, call.surroundings());
    String id = RunId.of(tenant, flow, key, json == null ? null : Fingerprint.of(json)).toString();
    var data = new LinkedHashMap<String, Object>();
    data.put("id", id);
    data.put("flow", flow);
    data.put("key", key);
    data.put("tenant", tenant);
    return Answer.of(data, id);
  }
}
