package dev.hapax.flows.connection;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The lines of one answer: status lines, headers, trailers and sizes of chunks. What precedes,
 * follows and interrupts the body is bounded as a whole, so that an answer cannot consist of it
 * without end.
 */
final class AnswerLines {
  private static final int LONGEST_LINE = 16 * 1024;
  private static final int MOST_HEADERS = 200;
  private static final int HEAD_BYTES = 128 * 1024;

  private static final int MOST_DIGITS_OF_SIZE = 12;

  private final InputStream in;
  private long left = HEAD_BYTES;

  AnswerLines(InputStream in) {
    this.in = in;
  }

  /**
   * The body has these bytes, and as many may announce them: an answer can consist of chunks of
   * five bytes, but not of more than some 30,000 chunks of a single one. Reading those costs far
   * more than sending them.
   */
  void received(int bodyBytes) {
    left += bodyBytes;
  }

  String next() throws IOException {
    String line =
        read(in, (int) Math.min(LONGEST_LINE, Math.max(0, left)), StandardCharsets.ISO_8859_1);
    left -= line.length() + 2;
    return line;
  }

  /** Returns the size of the next chunk. Makes no text of it, because there may be many. */
  long chunkSize() throws IOException {
    long size = 0;
    int digits = 0;
    boolean isSize = true;
    boolean isExtension = false;
    for (int next = in.read(); next != '\n'; next = in.read()) {
      take(next);
      int digit = Character.digit(next, 16);
      if (isExtension) {
        continue;
      }
      if (isSize && digit >= 0 && digits < MOST_DIGITS_OF_SIZE) {
        size = size * 16 + digit;
        digits++;
      } else if (next == ';' || next == '\r' || next == ' ' || next == '\t') {
        isExtension = next == ';';
        isSize = digits == 0;
      } else {
        throw new IOException("malformed chunk size: unexpected byte 0x%02x".formatted(next));
      }
    }
    take('\n');
    if (digits == 0) {
      throw new IOException("malformed chunk size: it has no digits");
    }
    return size;
  }

  /** Reads the line end after a chunk. */
  void endOfChunk() throws IOException {
    int next = in.read();
    take(next);
    if (next == '\r') {
      next = in.read();
      take(next);
    }
    if (next != '\n') {
      throw new IOException(
          "malformed end of a chunk: expected a line end, got 0x%02x".formatted(next));
    }
  }

  /** Counts a byte of a line. */
  private void take(int next) throws IOException {
    if (next < 0) {
      throw closed();
    }
    if (--left < 0) {
      throw new IOException(
          "the lines of the answer are longer than %,d bytes and its body".formatted(HEAD_BYTES));
    }
  }

  /** Returns the headers up to an empty line, by lower-case name; equal names are joined. */
  Map<String, String> headers() throws IOException {
    var headers = new LinkedHashMap<String, String>();
    int count = 0;
    for (String line = next(); !line.isEmpty(); line = next()) {
      int colon = line.indexOf(':');
      if (colon <= 0) {
        throw new IOException("malformed HTTP header: '%s'".formatted(shortened(line)));
      }
      if (++count > MOST_HEADERS) {
        throw new IOException("the answer has more than %d headers".formatted(MOST_HEADERS));
      }
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (one, other) -> one + ", " + other);
    }
    return headers;
  }

  /** Reads a line of at most this many bytes, without its end. */
  static String read(InputStream in, int most, Charset charset) throws IOException {
    var bytes = new ByteArrayOutputStream(80);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw closed();
      }
      if (bytes.size() >= most) {
        throw new IOException("the lines of the answer are longer than %,d bytes".formatted(most));
      }
      bytes.write(next);
    }
    String line = bytes.toString(charset);
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  static EOFException closed() {
    return new EOFException("the connection was closed before the answer was complete");
  }

  static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
