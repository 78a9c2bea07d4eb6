package dev.hapax.testkit.fault;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A request to the {@link Sink}. On the wire its length comes first, so that a request cut in the
 * middle never counts as one.
 *
 * @param key the business key
 * @param wireKey the key that the destination may remove duplicates by; empty for a read
 */
public record SinkRequest(Mode mode, String key, String wireKey, String payload) {
  private static final int LARGEST = 1 << 20;

  /** How the destination treats a request that it has seen before. */
  public enum Mode {
    /** Removes duplicates by the wire key and answers with the first result. */
    KEYED,
    /** Writes the payload under the business key; a repeat writes the same again. */
    UPSERT,
    /** Applies every request, and can be asked by the business key with {@link #FIND}. */
    LOOKUP,
    /** Applies every request. */
    RAW,
    /** Reads what a {@link #LOOKUP} request has left. Changes nothing. */
    FIND
  }

  byte[] bytes() throws IOException {
    var body = new ByteArrayOutputStream();
    var fields = new DataOutputStream(body);
    fields.writeUTF(mode.name());
    fields.writeUTF(key);
    fields.writeUTF(wireKey);
    fields.writeUTF(payload);
    var frame = new ByteArrayOutputStream();
    new DataOutputStream(frame).writeInt(body.size());
    body.writeTo(frame);
    return frame.toByteArray();
  }

  static SinkRequest read(InputStream input) throws IOException {
    var frame = new DataInputStream(input);
    int length = frame.readInt();
    if (length < 0 || length > LARGEST) {
      throw new IOException("a request of " + length + " bytes");
    }
    byte[] body = new byte[length];
    frame.readFully(body);
    var fields = new DataInputStream(new ByteArrayInputStream(body));
    return new SinkRequest(
        Mode.valueOf(fields.readUTF()), fields.readUTF(), fields.readUTF(), fields.readUTF());
  }
}
