package dev.hapax.app.access;

import dev.hapax.json.Digest;
import dev.hapax.time.RandomSource;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The credential of a caller: {@code hapax_<id>_<secret>}. Code scanners find it by its prefix.
 *
 * @param secret 256 random bits
 */
record TokenText(String id, String secret) {
  private static final int ID_BYTES = 8;
  private static final int SECRET_BYTES = 32;
  private static final Pattern FORM = Pattern.compile("hapax_([a-z2-7]{13})_([a-z2-7]{52})");

  static TokenText fresh(RandomSource random) {
    return new TokenText(letters(random, ID_BYTES), letters(random, SECRET_BYTES));
  }

  private static String letters(RandomSource random, int length) {
    var bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return Digest.base32(bytes.array(), length);
  }

  /** Returns null if the text is not a token. */
  static @Nullable TokenText parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches() ? new TokenText(form.group(1), form.group(2)) : null;
  }

  byte[] hash() {
    return Digest.sha256(secret);
  }

  String hexHash() {
    return HexFormat.of().formatHex(hash());
  }

  /** Returns the whole token, for its user; not for logs. */
  String shown() {
    return "hapax_" + id + "_" + secret;
  }

  @Override
  public String toString() {
    return "hapax_" + id + "_…";
  }
}
