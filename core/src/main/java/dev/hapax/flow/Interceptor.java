package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Stands between the engine and the code that sends an effect: for tests that lose answers, and for
 * tracing. What it throws counts as thrown by the sender.
 */
@FunctionalInterface
public interface Interceptor {
  /** Sends, and nothing else. */
  Interceptor NONE = (_, sender) -> sender.send();

  /** Calls the sender, or not, and returns its answer as JSON text, or another one. */
  String send(Sending sending, Answering sender) throws Exception;

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
