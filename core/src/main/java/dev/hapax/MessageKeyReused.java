package dev.hapax;

/** Thrown if another message was published under the key before. Nothing was written. */
public final class MessageKeyReused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MessageKeyReused(String key, String destination, String delivery) {
    super(
        "key '%s' was used for another message to '%s', delivered by run %s. Use another key."
            .formatted(key, destination, delivery));
  }
}
