package dev.hapax.app.queue;

import dev.hapax.flows.trigger.QueueTrigger.Format;
import dev.hapax.json.Json;
import dev.hapax.json.JsonWeight;
import dev.hapax.json.Text;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;

/** Reads the bytes of a message by the format of its trigger. */
final class MessageBody {
  /** The content type of bytes that are kept as a resource. */
  static final String CONTENT_TYPE = "application/octet-stream";

  private static final long PER_BYTE = 2;

  private MessageBody() {}

  /** The bytes are not in this format. */
  static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message, null, false, false); // the sender's affair: its stack is of no use
    }
  }

  /** Returns about how much memory the value of a message takes, without reading it. */
  static long memory(byte[] bytes, Format format) {
    return format == Format.JSON
        ? JsonWeight.of(new String(bytes, StandardCharsets.ISO_8859_1)) // its signs are ASCII
        : PER_BYTE * bytes.length;
  }

  /**
   * Returns the value of a message.
   *
   * @param mostMemory that it may take
   * @throws Unreadable if it has none in this format
   */
  static Object read(
      byte[] bytes, Format format, Function<byte[], String> resources, long mostMemory) {
    long memory = memory(bytes, format);
    if (memory > mostMemory) {
      throw new Unreadable(
          "value-too-large: the values of the message would take %,d bytes of memory, and at most %,d are free for one (limits.runBytes, limits.nodeBytes)"
              .formatted(memory, mostMemory));
    }
    return switch (format) {
      case JSON -> json(text(bytes));
      case TEXT -> text(bytes);
      case BYTES -> resources.apply(bytes);
      case AVRO, PROTOBUF -> throw new Unreadable("messages in this format are not read yet");
    };
  }

  private static Object json(String text) {
    Object value;
    try {
      value = Json.read(text, Object.class);
    } catch (RuntimeException e) { // of the JSON library, for anything that is not JSON
      throw new Unreadable("the message is not JSON: " + Text.messageOf(e));
    }
    if (value == null) {
      throw new Unreadable("the message is null");
    }
    return value;
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new Unreadable("the message is not text in UTF-8");
    }
  }

  /** Returns the bytes that were kept in an event. */
  static byte[] stored(String base64) {
    return Base64.getDecoder().decode(base64);
  }
}
