package dev.hapax.connector.kafka;

import dev.hapax.flows.connection.BrokerWay;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** A failure of the library in the words that people see. */
final class KafkaFailure {
  private KafkaFailure() {}

  /** Returns what to throw; a failure of our own stays as it is. */
  static Exception of(Exception failure, BrokerWay way) {
    Throwable cause =
        failure instanceof ExecutionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (!cause.getClass().getName().startsWith("org.apache.kafka.")
        && !(cause instanceof java.util.concurrent.TimeoutException)) {
      return failure;
    }
    return new IOException(way.redact(words(cause)), failure);
  }

  private static String words(Throwable cause) {
    StringBuilder words = new StringBuilder();
    for (Throwable one = cause; one != null; one = one.getCause()) {
      words.append(words.isEmpty() ? "" : ": ").append(one.getClass().getSimpleName());
      if (one.getMessage() != null) {
        words.append(": ").append(one.getMessage());
      }
    }
    return words.toString();
  }
}
