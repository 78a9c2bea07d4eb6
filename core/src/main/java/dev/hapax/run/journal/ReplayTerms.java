package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a replay does again, and what it may send. The journal keeps it with the replay, so that
 * every later pass over the run decides alike.
 *
 * @param from the first step that is done again; null for all of them
 * @param after rows of the journal after this one are done again in the parts that do not hold
 *     {@code from}
 * @param within the loops around {@code from}, the outermost first: they go on with its item
 * @param outputs results that a person has corrected
 * @param ask waits that are asked again
 * @param force effects that are sent again though they are done
 * @param sends everything that the plan sends; nothing else is sent
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReplayTerms(
    @Nullable Step from,
    @Nullable Long after,
    List<Step> within,
    List<Corrected> outputs,
    List<Step> ask,
    List<Forced> force,
    List<Send> sends) {

  public ReplayTerms {
    within = orNone(within);
    outputs = orNone(outputs);
    ask = orNone(ask);
    force = orNone(force);
    sends = orNone(sends);
  }

  /** A list that is empty is not written. */
  private static <T> List<T> orNone(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /**
   * The corrected result of a step.
   *
   * @param output JSON text, or a reference to it
   */
  public record Corrected(Step step, String output) {}

  /**
   * An effect that a person wants sent again.
   *
   * @param revision that is there now; the next one is sent, once
   */
  public record Forced(String name, String key, int revision, String reason) {}

  /**
   * An effect that the plan sends.
   *
   * @param key null if it depends on an answer that nothing knew when the plan was made
   * @param revision that is sent; null if the key is not known
   * @param request the fingerprint of the only request that is sent; null if the plan did not know
   *     it, as in the entries of older versions
   * @param type null for an effect
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Send(
      Step step,
      String name,
      @Nullable String key,
      @Nullable Integer revision,
      @Nullable String request,
      ReplayPlan.@Nullable Type type) {

    /** An effect. */
    public Send(
        Step step,
        String name,
        @Nullable String key,
        @Nullable Integer revision,
        @Nullable String request) {
      this(step, name, key, revision, request, null);
    }

    private boolean isOf(ReplayPlan.Type wanted) {
      return wanted == (type == null ? ReplayPlan.Type.EFFECT : type);
    }

    /** Whether this is what the step wants to send. */
    boolean isFor(Step wanting, String wanted, String wantedKey) {
      return name.equals(wanted)
          && (key == null
              ? isWithin(wanting) // its items are not known either
              : key.equals(wantedKey) && step.inRound(1).equals(wanting.inRound(1)));
    }

    /** The runs that a model starts as tools have the names of its step, with a number behind. */
    private boolean isWithin(Step wanting) {
      return wanting.name().equals(step.name())
          || (isOf(ReplayPlan.Type.RUN) && wanting.name().startsWith(step.name() + "."));
    }
  }

  /** The revision that a person wants sent again; null if there is none. */
  public @Nullable Integer forced(String name, String key) {
    return force.stream()
        .filter(one -> one.name().equals(name) && one.key().equals(key))
        .map(Forced::revision)
        .findFirst()
        .orElse(null);
  }

  /**
   * The effect in the plan; null if the plan does not send it. A step may send one effect in
   * several rounds, with another request in each.
   */
  public @Nullable Send send(Step step, String name, String key) {
    return send(ReplayPlan.Type.EFFECT, step, name, key);
  }

  /** As above, also for a message to a destination, or a run of a flow. */
  public @Nullable Send send(ReplayPlan.Type type, Step step, String name, String key) {
    Send found = null;
    for (Send one : sends) {
      if (one.isOf(type) && one.isFor(step, name, key)) {
        if (one.step().equals(step)) {
          return one;
        }
        found = found == null ? one : found;
      }
    }
    return found;
  }

  /** Whether every step is done again. */
  @JsonIgnore
  public boolean isFromTheStart() {
    return from == null;
  }
}
