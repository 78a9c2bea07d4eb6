package dev.hapax.flows.connection;

import dev.hapax.json.ValueBudget;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 on one socket: one request, one answer, nothing hidden. Used by one thread at a time.
 */
final class HttpWire {
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] [1-5]\\d\\d.*");
  private static final Pattern INTERIM = Pattern.compile("HTTP/1\\.[01] 1\\d\\d.*");

  /** 100 Continue, 103 Early Hints; 102 Processing may come every few seconds. */
  private static final int MOST_INTERIM = 100;

  private final Socket plain;
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private boolean reusable;

  /**
   * HTTP on this socket.
   *
   * @param plain the same, or the one below the encryption
   */
  HttpWire(Socket plain, Socket socket) throws IOException {
    this.plain = plain;
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
    this.out = socket.getOutputStream();
  }

  /** The socket below any encryption. */
  Socket plain() {
    return plain;
  }

  void close() {
    Egress.close(plain); // without TLS's farewell, which could block
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
   * LargeBodies#largestValue} is streamed to the keeper. Of any other answer, the rest of such a
   * body is left unread, because it is not needed.
   *
   * @param keeper null if the body is needed as a value; a larger one is an error then
   */
  HttpAnswer receive(String method, @Nullable LargeBodies keeper) throws IOException {
    var lines = new AnswerLines(in);
    String status = lines.next();
    for (int interim = 1; INTERIM.matcher(status).matches(); interim++) {
      if (interim > MOST_INTERIM) {
        throw new IOException(
            "the answer has more than %d interim answers (1xx)".formatted(MOST_INTERIM));
      }
      lines.headers();
      status = lines.next();
    }
    int code = statusCode(status);
    Map<String, String> headers = lines.headers();
    boolean isEmpty = method.equals("HEAD") || code == 204 || code == 304;
    HttpBody body = HttpBody.after(headers, isEmpty, in, lines);
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
    int largest = keeper == null ? ValueBudget.USUAL : keeper.largestValue(code);
    byte[] start = SlowBody.read(body, largest);
    if (body.isAtEnd()) {
      return new HttpAnswer(code, headers, start);
    }
    int next = body.read(); // the end may not have been seen yet
    if (next < 0) {
      return new HttpAnswer(code, headers, start);
    }
    if (keeper == null) {
      throw new AnswerTooLarge("the answer has more than %,d bytes".formatted(largest));
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
    if (!STATUS.matcher(line).matches()) {
      throw new IOException("malformed HTTP answer: '%s'".formatted(AnswerLines.shortened(line)));
    }
    return Integer.parseInt(line.substring(9, 12));
  }
}
