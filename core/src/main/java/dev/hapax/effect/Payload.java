package dev.hapax.effect;

import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.value.ResourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes results of outside code as JSON text, and distinguishes a result that cannot be stored
 * from an effect that did not happen.
 */
public final class Payload {
  private static final int LARGEST = 1 << 20;

  private Payload() {}

  /** Writes the result of a sender that returned, so it happened. */
  public static String write(@Nullable Object value) {
    try {
      return writeResult(value);
    } catch (NotSerializable e) {
      throw new AnswerMeaning.ResultRefused(e);
    }
  }

  /** Writes the result of a step or a run, at most 64 MiB; a large one is kept as a resource. */
  public static String writeResult(@Nullable Object value) {
    return writeAtMost(ResourceRecord.LARGEST, value);
  }

  /** Writes a value of at most 1 MiB of JSON text, which is stored inline. */
  public static String writeBounded(@Nullable Object value) {
    return writeAtMost(LARGEST, value);
  }

  private static String writeAtMost(int bytes, @Nullable Object value) {
    return value == null ? "null" : Json.write(value, bytes);
  }
}
