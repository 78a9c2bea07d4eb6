package dev.hapax.app.cli.dev;

import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "double",
    description = {
      "Lets the next request arrive twice, as a network may.",
      "'hapax dev requests' then shows whether the destination did it twice."
    })
final class DevDoubleVerb extends DevFaultVerb {
  @Override
  Map<String, Object> fault() {
    return Map.of("fault", "double");
  }

  @Override
  String outcome() {
    return "delivered twice";
  }
}
