package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import java.io.IOException;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "id",
    description = {
      "Computes the id of a run from its flow and key, without a server.",
      "'hapax runs show' says whether the run exists."
    })
public final class IdVerb extends Verb {
  @Parameters(index = "0", paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Key of the run.")
  String key = "";

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "Tenant of the run (${DEFAULT-VALUE}).")
  String tenant = "";

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description =
          "The input, for a flow with 'conflict: new': text, @FILE, or - for standard input.")
  @Nullable String input;

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    String json = input == null ? null : Inputs.json(input, call.surroundings());
    String id = RunId.of(tenant, flow, key, json == null ? null : Fingerprint.of(json)).toString();
    var data = new LinkedHashMap<String, Object>();
    data.put("id", id);
    data.put("flow", flow);
    data.put("key", key);
    data.put("tenant", tenant);
    return VerbAnswer.of(data, id);
  }
}
