package dev.hapax.app.cli.dev;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "lose",
    description = {
      "Loses the answer to the next request: the sandbox has done it, and the flow cannot know.",
      "The effect is then in doubt, and its guard settles it."
    })
final class DevLoseVerb extends DevFaultVerb {
  @Option(names = "--before", description = "Lose the request instead, before it arrives.")
  boolean before;

  @Override
  Map<String, Object> fault() {
    return Map.of("fault", before ? "drop" : "lose");
  }

  @Override
  String outcome() {
    return before ? "lost before arrival" : "done, and the answer lost";
  }
}
