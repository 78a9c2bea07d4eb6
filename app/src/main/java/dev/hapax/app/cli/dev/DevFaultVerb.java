package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Lets the next requests of an effect go wrong. */
abstract class DevFaultVerb extends DevServerVerb {
  @Parameters(
      index = "0",
      paramLabel = "TARGET",
      description = "A step, FLOW/STEP, an effect or a connection.")
  String target = "";

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of requests that it happens to (${DEFAULT-VALUE}).")
  int times = 1;

  @Override
  protected final VerbAnswer answer(VerbCall call, ServerClient server) {
    var body = new LinkedHashMap<String, Object>();
    body.put("target", target);
    body.put("times", times);
    body.putAll(new TreeMap<>(fault()));
    JsonNode faults = server.ask(ServerRequest.post("/dev/faults").json(body)).json();
    return VerbAnswer.of(
        faults,
        "next %s of '%s': %s"
            .formatted(times == 1 ? "request" : Words.count(times, "request"), target, outcome()));
  }

  /** Returns the members of the control route that say what goes wrong. */
  abstract Map<String, Object> fault();

  /** Returns what happens, for people. */
  abstract String outcome();
}
