package dev.hapax.flows.connection;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 on one socket: one request, one answer, nothing hidden. Used by one thread at a time.
 */
final class HttpWire {
  private static final int LONGEST_LINE = 16 * 1024;
  private static final int MOST_HEADERS = 200;
  private static final int LARGEST_IN_MEMORY = 16 << 20;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private boolean reusable;

  HttpWire(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
    this.out = socket.getOutputStream();
  }

  Socket socket() {
    return socket;
  }

  /** Whether the answer was read to its end and the server keeps the connection. */
  boolean isReusable() {
    return reusable;
  }

  /** Whether there are unrequested bytes: they would be taken for the next answer. */
  boolean hasUnread() {
    try {
      return in.available() > 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether the server has closed the connection, or sent unrequested bytes, while it was idle. */
  boolean isStale() {
    try {
      int before = socket.getSoTimeout();
      socket.setSoTimeout(1);
      try {
        in.read(); // the end, or a byte that belongs to no request
        return true;
      } catch (java.net.SocketTimeoutException e) {
        return false;
      } finally {
        socket.setSoTimeout(before);
      }
    } catch (IOException e) {
      return true;
    }
  }

  void send(String method, String target, Map<String, String> headers, byte[] body)
      throws IOException {
    reusable = false;
    var head = new StringBuilder(256);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("\r\n");
    byte[] start = head.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = new byte[start.length + body.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    out.write(all);
    out.flush();
  }

  /**
   * Returns the answer. If it says that the request was done, a body above {@link
   * HttpAnswer#LARGEST_VALUE} is streamed to the keeper. Of any other answer, the rest of such a
   * body is left unread, because it is not needed.
   *
   * @param keeper null if the body is needed in memory
   */
  HttpAnswer receive(String method, @Nullable LargeBodies keeper) throws IOException {
    String status = line(in);
    while (status.matches("HTTP/1\\.[01] 1\\d\\d.*")) { // 100 Continue, 103 Early Hints
      headers();
      status = line(in);
    }
    int code = statusCode(status);
    Map<String, String> headers = headers();
    boolean isEmpty = method.equals("HEAD") || code == 204 || code == 304;
    HttpBody body = HttpBody.after(headers, isEmpty, in);
    boolean keeps =
        status.startsWith("HTTP/1.1")
            && !headers.getOrDefault("connection", "").equalsIgnoreCase("close")
            && (isEmpty
                || headers.containsKey("transfer-encoding")
                || headers.containsKey("content-length"));
    HttpAnswer answer = answer(code, headers, body, keeper);
    reusable = keeps && body.isAtEnd();
    return answer;
  }

  private static HttpAnswer answer(
      int code, Map<String, String> headers, HttpBody body, @Nullable LargeBodies keeper)
      throws IOException {
    int largest = keeper == null ? LARGEST_IN_MEMORY : HttpAnswer.LARGEST_VALUE;
    byte[] start = body.readNBytes(largest);
    if (body.isAtEnd()) {
      return new HttpAnswer(code, headers, start);
    }
    int next = body.read(); // the end may not have been seen yet
    if (next < 0) {
      return new HttpAnswer(code, headers, start);
    }
    if (keeper == null) {
      throw new IOException("the answer has more than %,d bytes".formatted(largest));
    }
    if (code < 200 || code >= 300) {
      return new HttpAnswer(code, headers, start);
    }
    var rest = new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) next}), body);
    String type = headers.getOrDefault("content-type", "application/octet-stream");
    return new HttpAnswer(
        code,
        headers,
        keeper.keep(new SequenceInputStream(new ByteArrayInputStream(start), rest), type));
  }

  private static int statusCode(String line) throws IOException {
    if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d.*")) {
      throw new IOException("no HTTP answer: '%s'".formatted(shortened(line)));
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private Map<String, String> headers() throws IOException {
    var headers = new LinkedHashMap<String, String>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      if (colon <= 0 || headers.size() >= MOST_HEADERS) {
        throw new IOException("no HTTP header: '%s'".formatted(shortened(line)));
      }
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (one, other) -> one + ", " + other);
    }
    return headers;
  }

  static String line(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream(80);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection was closed before the answer was complete");
      }
      if (bytes.size() >= LONGEST_LINE) {
        throw new IOException("a line of the answer is longer than 16 KB");
      }
      bytes.write(next);
    }
    String line = bytes.toString(StandardCharsets.ISO_8859_1);
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
