package dev.hapax.flows.step;

import dev.hapax.flow.EffectOutcome;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The result of a step for the steps after it. */
public final class StepResult {
  /** The members of every result. */
  public static final Set<String> ALWAYS = Set.of("output", "externalId", "error");

  /** The results of a loop's items, in the order of the list. */
  public static final String ITEMS = "items";

  private static final Set<String> OF_EFFECTS = Set.of("stale", "reused", "found");

  private StepResult() {}

  /** Returns the members that the result of this step can have. */
  public static Set<String> members(FlowStep step) {
    var members = new TreeSet<>(ALWAYS);
    boolean isUnread = step.kind() instanceof UnreadStep; // it may have any
    if (step.forEach() != null || isUnread) {
      members.add(ITEMS);
    }
    if ((step.forEach() == null && step.effect() != null) || isUnread) {
      members.addAll(OF_EFFECTS);
    }
    return members;
  }

  /** The result of a loop as a whole. Its items have the effects, so it says nothing of them. */
  public static Map<String, @Nullable Object> ofLoop(StepRun step, Object summary) {
    Map<String, @Nullable Object> result = nothing(step.members());
    result.put("output", summary);
    return result;
  }

  /**
   * A step's result as others see it: its output and, for an effect, how it was done. If the step
   * is a loop, this is the result of one item.
   */
  public static Map<String, @Nullable Object> of(StepRun step, @Nullable Object output) {
    Map<String, @Nullable Object> result = nothing(step.members());
    result.put("output", output);
    if (step.step().effect() != null) {
      EffectOutcome outcome = step.run().outcome(step.id());
      result.put("externalId", externalId(step, outcome.externalId(), output));
      result.replace("stale", outcome.stale());
      result.replace("reused", outcome.reused());
      result.replace("found", outcome.found());
    }
    return result;
  }

  /**
   * The result of a step that did not run.
   *
   * @param members that the file reads, apart from those that every result has
   */
  public static Map<String, @Nullable Object> nothing(Set<String> members) {
    var nothing = new LinkedHashMap<String, @Nullable Object>();
    nothing.put("output", null);
    nothing.put("externalId", null);
    nothing.put("error", null);
    for (String member : members) {
      nothing.put(
          member, OF_EFFECTS.contains(member) ? false : member.equals(ITEMS) ? List.of() : null);
    }
    return nothing;
  }

  /** The result of a step whose failure is passed over. */
  public static Map<String, @Nullable Object> failed(Set<String> members, StepFailed failure) {
    Map<String, @Nullable Object> result = nothing(members);
    result.put("error", error(failure.code(), String.valueOf(failure.getMessage())));
    return result;
  }

  /** A failure as expressions see it. */
  public static Map<String, String> error(String code, String message) {
    return Map.of("code", code, "message", message);
  }

  /** Prefers the id in the ledger, no matter who reported it, to the one in the output. */
  private static @Nullable Object externalId(
      StepRun step, @Nullable String known, @Nullable Object output) {
    return known != null || output == null
        ? known
        : Guarded.<@Nullable Object>prepared(step, () -> externalIdIn(step, output));
  }

  static @Nullable Object externalIdIn(StepRun step, Object output) {
    EffectContract effect = step.step().effect();
    Template template = effect == null ? null : effect.externalId();
    return template == null ? null : template.value(step.scope().with("output", output));
  }
}
