package dev.hapax.effect;

import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import org.jspecify.annotations.Nullable;

/**
 * Results of outside code as JSON text: what cannot be stored is told apart from what did not
 * happen.
 */
public final class Payload {
  public static final int LARGEST = 1 << 20;

  private Payload() {}

  /** The result of a sender that returned, so it happened. */
  public static String write(@Nullable Object value) {
    try {
      return writeBounded(value);
    } catch (NotSerializable e) {
      throw new AnswerMeaning.ResultRefused(e);
    }
  }

  /** A value that is at most 1 MiB of JSON text. */
  public static String writeBounded(@Nullable Object value) {
    String text = value == null ? "null" : Json.write(value);
    if (text.length() > LARGEST) {
      throw new NotSerializable(
          "a value of %,d characters of JSON is too large, at most %,d are stored. Store it elsewhere and pass a reference."
              .formatted(text.length(), LARGEST));
    }
    return text;
  }
}
