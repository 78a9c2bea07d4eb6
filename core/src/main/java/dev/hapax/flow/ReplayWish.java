package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How an ended run is to be replayed. The run keeps its id, its key and its effects: a replay sends
 * only what the ledger does not have.
 *
 * @param step from which on steps are done again; null for all of them
 * @param item of the loop that the step is in; null if it is in none
 * @param release on which the run goes on; null for its own
 * @param input corrected input as JSON text; null to keep it
 * @param outputs corrected results as JSON text, by step
 * @param ask approvals and sleeps that are asked again
 * @param force effects that are sent again though they are done
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReplayWish(
    @Nullable String step,
    @Nullable String item,
    @Nullable Integer release,
    @Nullable String input,
    Map<String, String> outputs,
    List<String> ask,
    List<Force> force) {

  /** Everything again, on the run's own release. */
  public static final ReplayWish ALL =
      new ReplayWish(null, null, null, null, Map.of(), List.of(), List.of());

  /**
   * An effect to be sent again.
   *
   * @param effect its id
   * @param reason which the audit and the history keep
   * @param absent how it is known that the destination does not have it; null if it is not known.
   *     An effect that is looked up before it is sent can be forced only then
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Force(String effect, String reason, @Nullable String absent) {
    public Force(String effect, String reason) {
      this(effect, reason, null);
    }
  }

  public ReplayWish {
    outputs = outputs == null ? Map.of() : Map.copyOf(outputs);
    ask = ask == null ? List.of() : List.copyOf(ask);
    force = force == null ? List.of() : List.copyOf(force);
  }

  /** From this step on. */
  public static ReplayWish from(String step) {
    return new ReplayWish(step, null, null, null, Map.of(), List.of(), List.of());
  }

  /** From this step of an item on. */
  public static ReplayWish from(String step, @Nullable String item) {
    return new ReplayWish(step, item, null, null, Map.of(), List.of(), List.of());
  }

  public ReplayWish onRelease(int number) {
    return new ReplayWish(step, item, number, input, outputs, ask, force);
  }

  /** With a corrected input, as JSON text. */
  public ReplayWish withInput(String json) {
    return new ReplayWish(step, item, release, json, outputs, ask, force);
  }

  /** With a corrected result of a step, as JSON text. */
  public ReplayWish withOutput(String of, String json) {
    var more = new LinkedHashMap<>(outputs);
    more.put(of, json);
    return new ReplayWish(step, item, release, input, more, ask, force);
  }

  public ReplayWish askAgain(String wait) {
    return new ReplayWish(step, item, release, input, outputs, and(ask, wait), force);
  }

  /** Sends this effect again, though it is done. */
  public ReplayWish forcing(String effect, String reason) {
    return new ReplayWish(
        step, item, release, input, outputs, ask, and(force, new Force(effect, reason)));
  }

  /** Sends these effects again, and no others. */
  public ReplayWish forcing(List<Force> effects) {
    return new ReplayWish(step, item, release, input, outputs, ask, effects);
  }

  /**
   * Sends this effect again, though it is done, because the destination has it no more.
   *
   * @param absent how that is known
   */
  public ReplayWish forcingAbsent(String effect, String reason, String absent) {
    return new ReplayWish(
        step, item, release, input, outputs, ask, and(force, new Force(effect, reason, absent)));
  }

  private static <T> List<T> and(List<T> some, T another) {
    return Stream.concat(some.stream(), Stream.of(another)).toList();
  }
}
