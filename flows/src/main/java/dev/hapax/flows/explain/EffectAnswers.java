package dev.hapax.flows.explain;

import dev.hapax.flow.OnRework;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.SendingStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one effect of a flow is done once: its identity, its guard, and what a crash at it leads to.
 *
 * @param key as in the file; null if Hapax makes it
 * @param again what the same key means when it comes again, from this or another run
 * @param doubt what becomes of an attempt whose outcome is unknown
 * @param reconciled how the ledger is compared with the destination; null if the file does not say
 */
public record EffectAnswers(
    String step,
    String name,
    String kind,
    @Nullable String key,
    String guard,
    String again,
    String doubt,
    @Nullable String reconciled,
    Crash crash) {

  /** What happens if the process dies before the request, while it is under way, or after it. */
  public record Crash(String before, String during, String after) {
    Map<String, Object> json() {
      var fields = new LinkedHashMap<String, Object>();
      fields.put("before", before);
      fields.put("during", during);
      fields.put("after", after);
      return fields;
    }
  }

  private static final String BEFORE = "nothing was sent; the run goes on and sends it";
  private static final String AFTER = "the result is in the journal; nothing is sent again";

  private static final String DURING = "the outcome is unknown, as if the answer were lost";
  private static final Crash CRASH = new Crash(BEFORE, DURING, AFTER);

  static List<EffectAnswers> of(FlowFile file) {
    var answers = new ArrayList<EffectAnswers>();
    for (FlowStep step : file.allSteps()) {
      if (step.effect() != null) {
        answers.add(of(file, step, step.effect()));
      } else if (step.kind().courier() != null) {
        answers.add(published(file, step));
      } else if (step.kind() instanceof SendingStep sending && !sending.writes()) {
        answers.add(read(file, step));
      }
    }
    return answers;
  }

  private static EffectAnswers of(FlowFile file, FlowStep step, EffectContract effect) {
    String doubt = effect.guard().inDoubt();
    return switch (effect.kind()) {
      case READ -> read(file, step);
      case CREATE, NOTIFY ->
          new EffectAnswers(
              step.id(),
              nameOf(file, step, effect),
              effect.kind().word(),
              effect.key().source(),
              effect.guard().word(),
              sentOnce(effect.onRework()),
              doubt,
              reconciled(effect),
              CRASH);
      case UPDATE ->
          new EffectAnswers(
              step.id(),
              nameOf(file, step, effect),
              effect.kind().word(),
              effect.key().source(),
              effect.guard().word(),
              effect.version() == null
                  ? "the same content is not sent again; other content is"
                  : "the same content is not sent again; other content is, unless its version is older",
              doubt,
              reconciled(effect),
              CRASH);
      case ADDITIVE ->
          new EffectAnswers(
              step.id(),
              nameOf(file, step, effect),
              effect.kind().word(),
              effect.key().source(),
              effect.guard().word(),
              "done once per run; another run does it again",
              doubt,
              reconciled(effect),
              CRASH);
    };
  }

  private static @Nullable String reconciled(EffectContract effect) {
    EffectContract.Reconcile terms = effect.reconcile();
    if (terms == null) {
      return null;
    }
    String by =
        terms.list() == null
            ? "by looking up each effect of the ledger"
            : "by a list of the destination's objects";
    EffectContract.Times times = terms.times();
    return times == null
        ? by + ", when a person asks for it"
        : "%s, at '%s' %s, %s%s"
            .formatted(
                by,
                times.cron(),
                times.timezone() == null ? "UTC" : times.timezone(),
                times.last() == null
                    ? "all effects"
                    : "effects of the last " + Durations.text(times.last()),
                times.adopt() ? "; what is found is adopted" : "");
  }

  private static String sentOnce(@Nullable OnRework onRework) {
    String once = "done once per key, in this and every other run; the first result is reused";
    return switch (onRework) {
      case null -> once;
      case REUSE -> once + ", also after a rework with other content";
      case REVIEW -> once + "; after a rework with other content a person decides";
      case REVISE ->
          once + "; after a rework with other content it is undone and sent as the next revision";
    };
  }

  /** A name of the ledger is shared by all flows that give it. */
  private static String nameOf(FlowFile file, FlowStep step, EffectContract effect) {
    return effect.name() == null ? file.name() + "/" + step.id() : effect.name();
  }

  private static EffectAnswers published(FlowFile file, FlowStep step) {
    return new EffectAnswers(
        step.id(),
        file.name() + "/" + step.id(),
        step.kind().word(),
        null,
        "outbox",
        "one message per run and step",
        step.kind().deliveredAgain(),
        null,
        new Crash("the message is stored with the step; then it is delivered", DURING, AFTER));
  }

  private static EffectAnswers read(FlowFile file, FlowStep step) {
    return new EffectAnswers(
        step.id(),
        file.name() + "/" + step.id(),
        "read",
        null,
        "none needed",
        "nothing is remembered beyond the run",
        "read again",
        null,
        new Crash("it is read after the restart", "it is read again", AFTER));
  }

  Map<String, @Nullable Object> json() {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("step", step);
    fields.put("name", name);
    fields.put("kind", kind);
    fields.put("key", key);
    fields.put("guard", guard);
    fields.put("again", again);
    fields.put("doubt", doubt);
    if (reconciled != null) {
      fields.put("reconciled", reconciled);
    }
    fields.put("crash", crash.json());
    return fields;
  }
}
