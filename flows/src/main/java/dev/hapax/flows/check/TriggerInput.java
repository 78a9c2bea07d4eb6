package dev.hapax.flows.check;

import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;

/** A trigger that can start no run, because its input never fits the flow's input schema. */
final class TriggerInput implements Rule {
  @Override
  public String id() {
    return "trigger-input";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public boolean appliesToReleases() {
    return false;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    if (flow.input() == null) {
      return;
    }
    for (Trigger trigger : flow.triggers()) {
      ValueTemplate input = trigger.givenInput();
      if (input != null) {
        new SchemaFit(
                (position, problem) ->
                    report.add(
                        position,
                        "the input of %s '%s' %s: it could start no run"
                            .formatted(trigger.word(), trigger.label(), problem),
                        "Correct it, or the flow's input schema."))
            .check(input, flow.input().source(), "");
      }
    }
  }
}
