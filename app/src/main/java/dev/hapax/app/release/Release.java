package dev.hapax.app.release;

import dev.hapax.flows.step.FlowFormat;
import dev.hapax.json.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An immutable version of a flow file.
 *
 * @param number 1 for the first one of its flow
 * @param text YAML as it was in the draft
 * @param hash SHA-256 of the text in hexadecimal
 * @param format how it renders its requests; null if it was made before there were formats
 */
public record Release(
    int number,
    String text,
    String hash,
    @Nullable String note,
    String author,
    Instant createdAt,
    @Nullable Integer format) {

  /** A release that is made now. */
  static Release made(
      int number, String text, @Nullable String note, String author, Instant createdAt) {
    return new Release(
        number, text, hashOf(text), note, author, createdAt, FlowFormat.NEWEST.number());
  }

  static String hashOf(String text) {
    return HexFormat.of().formatHex(Digest.sha256(text));
  }

  int bytes() {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
