package dev.hapax.app.cli.dev;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delay",
    description = {
      "Delays the next request. If its attempt times out meanwhile, it arrives nevertheless."
    })
final class DevDelayVerb extends DevFaultVerb {
  @Parameters(index = "1", paramLabel = "TIME", description = "For example 5s, up to 10m.")
  String time = "";

  @Override
  Map<String, Object> fault() {
    return Map.of("fault", "delay", "delay", time);
  }

  @Override
  String outcome() {
    return "delayed by " + time;
  }
}
