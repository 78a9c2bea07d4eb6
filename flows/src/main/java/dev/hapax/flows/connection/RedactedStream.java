package dev.hapax.flows.connection;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bytes without secrets, even if a secret crosses two reads. */
final class RedactedStream extends InputStream {
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final List<String> hidden; // a character per byte
  private final String instead;
  private final int longest;
  private String held = ""; // may be the beginning of a secret
  private byte[] ready = new byte[0];
  private int at;
  private boolean ended;

  RedactedStream(InputStream in, List<String> hidden, String instead) {
    this.in = in;
    this.hidden = hidden.stream().map(RedactedStream::perByte).toList();
    this.instead = instead;
    this.longest = this.hidden.stream().mapToInt(String::length).max().orElse(1);
  }

  private static String perByte(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
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
    int decided = ended ? text.length() : Math.max(0, text.length() - longest + 1);
    var told = new StringBuilder(text.length());
    int from = 0;
    for (Found found = first(text, from); found != null && found.at() < decided; ) {
      told.append(text, from, found.at()).append(instead);
      from = found.at() + found.length();
      found = first(text, from);
    }
    int until = Math.max(from, decided);
    told.append(text, from, until);
    held = text.substring(until);
    ready = told.toString().getBytes(StandardCharsets.ISO_8859_1);
    at = 0;
  }

  private record Found(int at, int length) {}

  /** Of several secrets at one place, finds the longest, which comes first. */
  private @Nullable Found first(String text, int from) {
    Found first = null;
    for (String secret : hidden) {
      int found = text.indexOf(secret, from);
      if (found >= 0 && (first == null || found < first.at())) {
        first = new Found(found, secret.length());
      }
    }
    return first;
  }
}
