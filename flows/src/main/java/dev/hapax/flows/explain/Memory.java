package dev.hapax.flows.explain;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.Trigger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Something that must be remembered, and for how long. */
public record Memory(String what, String length) {
  static List<Memory> of(FlowFile file) {
    var memory = new ArrayList<Memory>();
    memory.add(
        new Memory(
            "the run, its key and its result",
            "%s after its end".formatted(Durations.text(file.retention()))));
    if (file.triggers().stream().anyMatch(Trigger::keepsEvents)) {
      memory.add(new Memory("the ids of received events", "at least 30d"));
    }
    if (file.timeout() != null) {
      memory.add(new Memory("the limit of a run, waits included", Durations.text(file.timeout())));
    }
    for (FlowStep step : file.allSteps()) {
      EffectContract effect = step.effect();
      if (effect != null && effect.kind() != EffectKind.READ) {
        memory.add(ofLedger(file, step, effect));
        memory.add(
            new Memory(
                "retries of '%s'".formatted(step.id()),
                "%d attempts within %s, each at most %s"
                    .formatted(
                        step.retryPolicy().attempts(),
                        Durations.text(step.retryPolicy().within()),
                        Durations.text(step.attemptTimeout()))));
        Duration window = effect.guard().remembersFor();
        if (window != null) {
          memory.add(
              new Memory(
                  "the key of '%s' at the destination".formatted(step.id()),
                  "%s, unless its connection says otherwise".formatted(Durations.text(window))));
        }
      }
    }
    return memory;
  }

  /** The longest of what can still ask for the effect. */
  private static Memory ofLedger(FlowFile file, FlowStep step, EffectContract effect) {
    Duration longest = file.retention();
    Duration window = effect.guard().remembersFor();
    if (window != null && window.compareTo(longest) > 0) {
      longest = window;
    }
    if (step.retryPolicy().within().compareTo(longest) > 0) {
      longest = step.retryPolicy().within();
    }
    return new Memory(
        "effect '%s' in the ledger".formatted(step.id()),
        "at least %s after the end of the last run that used it"
            .formatted(Durations.text(longest)));
  }

  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("what", what);
    fields.put("for", length);
    return fields;
  }
}
