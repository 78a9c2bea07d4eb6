package dev.hapax.flows.step;

import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A kind of step that sends something, so that it can have an effect and be a compensation. */
public interface SendingStep extends FlowStepKind {
  /** The connection whose limits apply; null if there is none. */
  @Nullable String connection();

  @Override
  default Stream<String> connections() {
    return Stream.ofNullable(connection());
  }

  /** Whether it changes something outside, and so needs an effect. */
  boolean writes();

  @Override
  default boolean onlyReads() {
    return !writes();
  }

  @Override
  default Follows follows() {
    return writes() ? Follows.NOT : Follows.MAYBE;
  }

  /**
   * The output in a draft, where nothing is sent, if the step has no sample: one that the
   * destination could give.
   *
   * @param request that would be sent
   */
  default @Nullable Object drafted(String key, Object request) {
    return null;
  }

  /** How long the destination remembers a key, if the file does not say. */
  default Duration keyWindow(StepRun step) {
    throw new IllegalStateException("check lets no %s through that is keyed".formatted(word()));
  }

  /** Sends once, outside of the step's own effect, to undo it. */
  RunContext.Action undoing(StepRun step, FlowStep.Compensate compensate);

  /** Undoes the step in a transaction of its destination, which also holds the marker. */
  default Undo undoingInTransaction(StepRun step) {
    throw new IllegalStateException("check lets no %s through with a marker".formatted(word()));
  }

  // ---- for the rules of check

  /** Names the request in a message. */
  default String request() {
    return word();
  }

  /** The thing at the destination that it uses, as written in the file; null if there is none. */
  default @Nullable String target() {
    return null;
  }

  /** Whether the request itself may be repeated. */
  default boolean isIdempotent() {
    return false;
  }

  /** Whether the destination can commit a marker together with the write. */
  default boolean isTransactional() {
    return false;
  }

  /**
   * The advice to someone who sends a key to a destination that ignores it; null if it does not.
   */
  default @Nullable String insteadOfKey() {
    return null;
  }

  /** The advice to someone whose step needs no effect; empty if it always needs one. */
  default String insteadOfEffect() {
    return "";
  }
}
