package dev.hapax.flow;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the engine and the code that sends an effect: for tests that lose answers, and for
 * logs and tracing. What it throws around a sender counts as thrown by the sender.
 */
@FunctionalInterface
public interface Interceptor {
  /** Sends, and nothing else. */
  Interceptor NONE = (_, sender) -> sender.send();

  /** Calls the sender, or not, and returns its answer as JSON text, or another one. */
  String send(Sending sending, Answering sender) throws Exception;

  /**
   * Around one stay of a run in memory, from its start or wake-up to its next wait or its end, on
   * every thread that carries a part of it. It calls the code once and lets through what that
   * throws.
   */
  default void stay(Stay stay, Runnable code) {
    code.run();
  }

  /**
   * Around the code of a step that sends no effect: what it computes, reads or looks up. It calls
   * the code once and lets through what that throws.
   */
  default <T> T work(Work work, Callable<T> code) throws Exception {
    return code.call();
  }

  /**
   * A run in memory.
   *
   * @param isBeside whether this thread carries a branch or an item beside the body
   */
  record Stay(String tenant, String run, String flow, String key, boolean isBeside) {}

  /**
   * A step of a run.
   *
   * @param isLookup whether it looks an effect up
   */
  record Work(String run, String flow, String step, @Nullable String item, boolean isLookup) {}

  /** The sender; each call of it is a request to the destination. */
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
