package dev.hapax.flows.step;

import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.StepKind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pauses: for a time, for an answer, for people. */
public final class WaitStep {
  private WaitStep() {}

  static void sleep(StepRun step, StepKind.WaitFor wait) {
    String text = Guarded.prepared(step, () -> step.text(wait.length()));
    Duration length = Durations.parse(text);
    if (length == null) {
      throw step.failed(
          "expression",
          "%s for: expected a length of time such as 10m, got '%s'"
              .formatted(wait.length().position(), text));
    }
    step.run().sleep(step.id(), length);
  }

  static void sleepUntil(StepRun step, StepKind.WaitUntil wait) {
    String text = Guarded.prepared(step, () -> step.text(wait.time()));
    Instant time;
    try {
      time = OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw step.failed(
          "expression",
          "%s until: expected a time such as 2026-11-15T10:00:00Z, got '%s'"
              .formatted(wait.time().position(), text));
    }
    step.run().sleepUntil(step.id(), time);
  }

  static @Nullable Object callback(StepRun step, StepKind.WaitCallback wait) {
    return step.run().awaitCallback(step.id(), wait.expires(), Object.class);
  }

  static Map<String, @Nullable Object> approval(StepRun step, StepKind.Ask ask) {
    return output(step.run().approval(step.id(), question(step, ask)));
  }

  /** Returns the question, for a caller that asks it in rounds. */
  public static Approval question(StepRun step, StepKind.Ask ask) {
    String text = Guarded.prepared(step, () -> step.text(ask.ask()));
    return new Approval(text, ask.roles(), ask.expires(), ask.onExpire(), ask.onReject());
  }

  /** Returns a decision as expressions see it. */
  public static Map<String, @Nullable Object> output(Decision decision) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("decision", decision.decision().word());
    output.put("by", decision.by());
    output.put("comment", decision.comment());
    output.put("values", decision.values(Object.class));
    return output;
  }
}
