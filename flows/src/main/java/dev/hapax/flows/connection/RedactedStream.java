package dev.hapax.flows.connection;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Bytes without secrets, even if a secret crosses two reads. */
final class RedactedStream extends InputStream {
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final HiddenForms hidden; // a character per byte
  private final String instead;
  private String held = ""; // may be the beginning of a secret
  private byte[] ready = new byte[0];
  private int at;
  private boolean ended;

  RedactedStream(InputStream in, HiddenForms hidden, String instead) {
    this.in = in;
    this.hidden = hidden;
    this.instead = instead;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    while (at == ready.length) {
      if (ended) {
        return -1;
      }
      fill();
    }
    int read = Math.min(length, ready.length - at);
    System.arraycopy(ready, at, buffer, offset, read);
    at += read;
    return read;
  }

  private void fill() throws IOException {
    byte[] next = in.readNBytes(BUFFER_BYTES);
    ended = next.length < BUFFER_BYTES;
    String text = held + new String(next, StandardCharsets.ISO_8859_1);
    // A match that begins later may be part of a longer secret that is not complete yet.
    int decided = ended ? text.length() : Math.max(0, text.length() - hidden.longest() + 1);
    var told = new StringBuilder(text.length());
    int from = 0;
    for (int place = 0; place < decided; ) {
      int length = hidden.lengthAt(text, place);
      if (length == 0) {
        place++;
      } else {
        told.append(text, from, place).append(instead);
        place += length;
        from = place;
      }
    }
    int until = Math.max(from, decided);
    told.append(text, from, until);
    held = text.substring(until);
    ready = told.toString().getBytes(StandardCharsets.ISO_8859_1);
    at = 0;
  }
}
