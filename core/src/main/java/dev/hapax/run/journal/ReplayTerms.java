package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
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
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Send(Step step, String name, @Nullable String key, @Nullable Integer revision) {

    /** Whether this is the effect that the step wants to send. */
    boolean isFor(Step wanting, String wanted, String wantedKey) {
      return name.equals(wanted)
          && (key == null
              ? step.name().equals(wanting.name()) // its items are not known either
              : key.equals(wantedKey) && step.inRound(1).equals(wanting.inRound(1)));
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

  /** The effect in the plan; null if the plan does not send it. */
  public @Nullable Send send(Step step, String name, String key) {
    return sends.stream().filter(one -> one.isFor(step, name, key)).findFirst().orElse(null);
  }

  /** Whether every step is done again. */
  @JsonIgnore
  public boolean isFromTheStart() {
    return from == null;
  }
}
