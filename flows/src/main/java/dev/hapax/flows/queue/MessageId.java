package dev.hapax.flows.queue;

import dev.hapax.json.Digest;
import dev.hapax.json.Text;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Makes ids of messages that every store keeps unchanged, whatever their sender has chosen. */
public final class MessageId {
  /** The inbox takes 1,024, and the record of a conflict adds a part of a hash. */
  private static final int LONGEST_BYTES = 900;

  private MessageId() {}

  /** Returns the id, or its hash if it is too long or has characters that a database refuses. */
  public static String of(String given) {
    return !Text.isLonger(given, LONGEST_BYTES) && Text.isStorable(given)
        ? given
        : "sha256:" + hash(given);
  }

  /** Returns the hash of a text; texts that differ only in halves of pairs differ in it, too. */
  public static String hash(String text) {
    boolean isWhole = StandardCharsets.UTF_8.newEncoder().canEncode(text);
    byte[] bytes = isWhole ? text.getBytes(StandardCharsets.UTF_8) : characters(text);
    return HexFormat.of().formatHex(Digest.sha256(bytes));
  }

  /** An encoder would replace the halves. */
  private static byte[] characters(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * text.length());
    bytes.asCharBuffer().put(text);
    return bytes.array();
  }
}
