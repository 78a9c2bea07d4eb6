package dev.hapax.app.cli.dev;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "fail",
    description = {"Answers the next request with an HTTP status of an error, and does not do it."})
final class DevFailVerb extends DevFaultVerb {
  @Parameters(index = "1", paramLabel = "STATUS", description = "From 400 to 599.")
  int status;

  @Override
  Map<String, Object> fault() {
    return Map.of("fault", "fail", "status", status);
  }

  @Override
  String outcome() {
    return "answered with HTTP " + status;
  }
}
