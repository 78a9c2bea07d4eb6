package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flows.preset.PresetFacts;
import dev.hapax.flows.preset.Presets;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "presets",
    description = {
      "Lists the providers whose connections can be written by 'hapax connections new'.",
      "Shows where each takes a key, how long it remembers it, which answers it keeps, what can be"
          + " looked up, and how its webhooks are signed. Needs no server."
    })
final class PresetsVerb extends Verb {
  @Override
  public VerbAnswer answer(VerbCall call) {
    List<PresetFacts> all = Presets.all().stream().map(PresetFacts::of).toList();
    var table =
        new Table("PRESET", "KEY", "WINDOW", "STORED", "LOOKUPS", "WEBHOOK", "ASSUMED", "READ");
    for (PresetFacts preset : all) {
      table.row(
          preset.preset(),
          preset.key(),
          preset.window(),
          preset.stored(),
          preset.lookups().size(),
          preset.webhook(),
          preset.assumed().size(),
          preset.read());
    }
    return VerbAnswer.of(Map.of("items", all), table.text(call.paint(), ""))
        .note("hapax connections new PRESET writes a connection, with all that is known about it");
  }
}
