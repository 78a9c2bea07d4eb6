package dev.hapax.flows.connection;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The body of one answer, as a stream that ends with the body. */
final class HttpBody extends InputStream {
  private static final long UNTIL_CLOSED = -1;
  private static final Pattern LENGTH = Pattern.compile("\\d{1,15}");

  private final InputStream in;
  private final AnswerLines lines;
  private final boolean chunked;
  private long left; // of the body, or of the current chunk
  private boolean atEnd;

  private HttpBody(InputStream in, AnswerLines lines, boolean chunked, long left) {
    this.in = in;
    this.lines = lines;
    this.chunked = chunked;
    this.left = left;
    this.atEnd = !chunked && left == 0;
  }

  /** Returns the body that follows these headers. */
  static HttpBody after(
      Map<String, String> headers, boolean isEmpty, InputStream in, AnswerLines lines)
      throws IOException {
    if (isEmpty) {
      return new HttpBody(in, lines, false, 0);
    }
    String coding = headers.getOrDefault("transfer-encoding", "").toLowerCase(Locale.ROOT);
    if (coding.contains("chunked")) {
      return new HttpBody(in, lines, true, 0);
    }
    String length = headers.get("content-length");
    return new HttpBody(in, lines, false, length == null ? UNTIL_CLOSED : number(length));
  }

  private static long number(String text) throws IOException {
    String digits = text.strip();
    if (!LENGTH.matcher(digits).matches()) {
      throw new IOException(
          "malformed Content-Length: '%s'".formatted(AnswerLines.shortened(text)));
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

  /** Fills the buffer over the borders of chunks: their size costs the reader nothing more. */
  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int filled = 0;
    do {
      int read = readPart(buffer, offset + filled, length - filled);
      if (read < 0) {
        return filled == 0 ? -1 : filled;
      }
      filled += read;
    } while (chunked && filled < length);
    return filled;
  }

  /** Reads of the current chunk, or of a body without chunks. */
  private int readPart(byte[] buffer, int offset, int length) throws IOException {
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
        throw AnswerLines.closed();
      }
      atEnd = true;
      return -1;
    }
    lines.received(read);
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
      lines.endOfChunk();
    } else {
      atEnd = true;
    }
  }

  private void nextChunk() throws IOException {
    left = lines.chunkSize();
    if (left == 0) {
      lines.headers(); // trailers contain nothing that we use
      atEnd = true;
    }
  }
}
