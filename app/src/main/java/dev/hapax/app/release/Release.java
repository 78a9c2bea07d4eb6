package dev.hapax.app.release;

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
 */
public record Release(
    int number, String text, String hash, @Nullable String note, String author, Instant createdAt) {

  static String hashOf(String text) {
    return HexFormat.of().formatHex(Digest.sha256(text));
  }

  int bytes() {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
