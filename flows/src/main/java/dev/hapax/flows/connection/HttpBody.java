package dev.hapax.flows.connection;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;

/** The body of one answer, as a stream that ends with the body. */
final class HttpBody extends InputStream {
  private static final long UNTIL_CLOSED = -1;

  private final InputStream in;
  private final boolean chunked;
  private long left; // of the body, or of the current chunk
  private boolean atEnd;

  private HttpBody(InputStream in, boolean chunked, long left) {
    this.in = in;
    this.chunked = chunked;
    this.left = left;
    this.atEnd = !chunked && left == 0;
  }

  /** Returns the body that follows these headers. */
  static HttpBody after(Map<String, String> headers, boolean isEmpty, InputStream in)
      throws IOException {
    if (isEmpty) {
      return new HttpBody(in, false, 0);
    }
    String coding = headers.getOrDefault("transfer-encoding", "").toLowerCase(Locale.ROOT);
    if (coding.contains("chunked")) {
      return new HttpBody(in, true, 0);
    }
    String length = headers.get("content-length");
    return new HttpBody(in, false, length == null ? UNTIL_CLOSED : number(length));
  }

  private static long number(String text) throws IOException {
    String digits = text.strip();
    if (!digits.matches("\\d{1,15}")) {
      throw new IOException("no Content-Length: '%s'".formatted(HttpWire.shortened(text)));
    }
    return Long.parseLong(digits);
  }

  /** Whether the body was read to its end, so that the next answer follows. */
  boolean isAtEnd() {
    return atEnd;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (chunked && left == 0 && !atEnd) {
      nextChunk();
    }
    if (atEnd) {
      return -1;
    }
    if (length == 0) {
      return 0;
    }
    int read = in.read(buffer, offset, left < 0 ? length : (int) Math.min(length, left));
    if (read < 0) {
      if (left != UNTIL_CLOSED) {
        throw new EOFException("the connection was closed before the answer was complete");
      }
      atEnd = true;
      return -1;
    }
    if (left > 0) {
      left -= read;
      endIfDone();
    }
    return read;
  }

  private void endIfDone() throws IOException {
    if (left > 0) {
      return;
    }
    if (chunked) {
      HttpWire.line(in); // after every chunk
    } else {
      atEnd = true;
    }
  }

  private void nextChunk() throws IOException {
    String size = HttpWire.line(in);
    int semicolon = size.indexOf(';');
    String digits = (semicolon < 0 ? size : size.substring(0, semicolon)).strip();
    if (!digits.matches("[0-9A-Fa-f]{1,12}")) {
      throw new IOException("no chunk: '%s'".formatted(HttpWire.shortened(size)));
    }
    left = Long.parseLong(digits, 16);
    if (left == 0) {
      while (!HttpWire.line(in).isEmpty()) {
        // trailers contain nothing that we use
      }
      atEnd = true;
    }
  }
}
