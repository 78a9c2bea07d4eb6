package dev.hapax.flow;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the code that sends an effect: for tests that lose answers, and for logs and tracing. An
 * exception that it throws around a sender counts as thrown by the sender.
 */
@FunctionalInterface
public interface Interceptor {
  /** Only calls the sender. */
  Interceptor NONE = (_, sender) -> sender.send();

  /** Calls the sender or not, and returns its answer, or another one, as JSON text. */
  String send(Sending sending, Answering sender) throws Exception;

  /**
   * Wraps one stay of a run in memory, from its start or wake-up to its next wait or its end, on
   * every thread that carries a part of it. Must call the code once and let its exceptions through.
   */
  default void stay(Stay stay, Runnable code) {
    code.run();
  }

  /**
   * Wraps the code of a step that sends no effect, but computes, reads or looks up. Must call the
   * code once and let its exceptions through.
   */
  default <T> T work(Work work, Callable<T> code) throws Exception {
    return code.call();
  }

  /**
   * A run in memory.
   *
   * @param isBeside whether this thread carries a branch or an item, in parallel with the body
   */
  record Stay(String tenant, String run, String flow, String key, boolean isBeside) {}

  /**
   * A step of a run.
   *
   * @param isLookup whether it looks an effect up
   */
  record Work(String run, String flow, String step, @Nullable String item, boolean isLookup) {}

  /** The sender. Each call sends a request to the destination. */
  @FunctionalInterface
  interface Answering {
    String send() throws Exception;
  }

  /**
   * One attempt of an effect.
   *
   * @param effect its name in the ledger
   * @param key its business key
   * @param wireKey the key that the destination gets
   */
  record Sending(
      String run,
      String flow,
      String step,
      @Nullable String item,
      String effect,
      String key,
      String wireKey,
      String guard,
      int attempt) {}
}
