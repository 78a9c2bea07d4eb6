package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.RunStatus;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of one run of a proof: the code of its flows, their destinations, and the people
 * and systems that answer. A proof makes a new one for each run. Methods that get the engine may be
 * called again after a process has died in them.
 */
public interface ProofScene extends AutoCloseable {
  /** Registers the flows with the engine of each process. */
  void register(Hapax hapax);

  /** Starts the run, or asks for it again. */
  Begun start(Hapax hapax);

  /**
   * The answer to a start.
   *
   * @param run its id
   * @param isDuplicate whether the run existed already
   */
  record Begun(String run, boolean isDuplicate) {
    public static Begun of(RunHandle<?> handle) {
      return new Begun(handle.id(), handle.isDuplicate());
    }
  }

  /** Returns what is called around each request, inside of what the proof does to it. */
  default Interceptor interceptor() {
    return Interceptor.NONE;
  }

  /**
   * Lets people and systems outside answer what runs ask; returns whether they answered something.
   * Called before time moves, so that nothing expires that they would have answered.
   */
  default boolean answer(Hapax hapax) {
    return false;
  }

  /** Answers a run that nothing else can advance. */
  default void advance(Hapax hapax, String run) {
    throw new AssertionError(
        "run %s waits, and nothing in the proof answers it:%s"
            .formatted(run, HistoryText.of(hapax.history(run))));
  }

  /** Whether this is the end that the run has when nothing goes wrong. */
  default boolean isExpectedEnd(RunStatus status) {
    return status == RunStatus.SUCCEEDED;
  }

  /**
   * Returns how often the destination applied the effect; empty if it does not say. Then each
   * answered request counts, and requests with one key count once if the guard says that the
   * destination removes duplicates.
   */
  default OptionalInt applied(String effect, String key) {
    return OptionalInt.empty();
  }

  /**
   * Returns the result of an effect as a person finds it who looks at the destination, as JSON
   * text; null if it is not there.
   *
   * @param answer the last answer that the destination gave under this key; null if it gave none
   */
  default @Nullable String found(String wireKey, @Nullable String answer) {
    return answer;
  }

  /** Whether the author accepts that this effect is applied more than once. */
  default boolean mayRepeat(String effect) {
    return false;
  }

  /** Throws AssertionError if the destinations are not as they should be at the end. */
  default void check() {}

  @Override
  default void close() {}
}
