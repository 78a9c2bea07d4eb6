package dev.hapax.flows.connection;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * HTTP/1.1 on one socket: one request, one answer, nothing hidden. Used by one thread at a time.
 */
final class HttpWire {
  private static final int LONGEST_LINE = 16 * 1024;
  private static final int MOST_HEADERS = 200;
  static final int LARGEST_BODY = 16 << 20;

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

  /** Whether there are bytes that nobody asked for: the next answer would not be the next one's. */
  boolean hasUnread() {
    try {
      return in.available() > 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Whether the server has closed it, or sent what nobody asked for, while it was idle. */
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

  HttpAnswer receive(String method) throws IOException {
    String status = line();
    while (status.matches("HTTP/1\\.[01] 1\\d\\d.*")) { // 100 Continue, 103 Early Hints
      headers();
      status = line();
    }
    int code = statusCode(status);
    Map<String, String> headers = headers();
    boolean keeps =
        status.startsWith("HTTP/1.1")
            && !headers.getOrDefault("connection", "").equalsIgnoreCase("close");
    byte[] body;
    if (method.equals("HEAD") || code == 204 || code == 304) {
      body = new byte[0];
    } else if (headers
        .getOrDefault("transfer-encoding", "")
        .toLowerCase(Locale.ROOT)
        .contains("chunked")) {
      body = chunks();
    } else if (headers.containsKey("content-length")) {
      body = exactly(length(headers.getOrDefault("content-length", "")));
    } else {
      body = untilClosed();
      keeps = false;
    }
    reusable = keeps;
    return new HttpAnswer(code, headers, body);
  }

  private static int statusCode(String line) throws IOException {
    if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d.*")) {
      throw new IOException("no HTTP answer: '%s'".formatted(shortened(line)));
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private Map<String, String> headers() throws IOException {
    var headers = new LinkedHashMap<String, String>();
    for (String line = line(); !line.isEmpty(); line = line()) {
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

  private String line() throws IOException {
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

  private static int length(String text) throws IOException {
    try {
      long length = Long.parseLong(text.strip());
      if (length < 0 || length > LARGEST_BODY) {
        throw new IOException("an answer of %s bytes is too large".formatted(text));
      }
      return (int) length;
    } catch (NumberFormatException e) {
      throw new IOException("no Content-Length: '%s'".formatted(shortened(text)), e);
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the connection was closed before the answer was complete");
    }
    return body;
  }

  private byte[] chunks() throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      String size = line();
      int semicolon = size.indexOf(';');
      int length;
      try {
        length =
            Integer.parseInt((semicolon < 0 ? size : size.substring(0, semicolon)).strip(), 16);
      } catch (NumberFormatException e) {
        throw new IOException("no chunk: '%s'".formatted(shortened(size)), e);
      }
      if (length < 0 || body.size() + (long) length > LARGEST_BODY) {
        throw new IOException("the answer is too large");
      }
      body.writeBytes(exactly(length));
      if (length == 0) {
        while (!line().isEmpty()) {
          // trailers say nothing that we use
        }
        return body.toByteArray();
      }
      line();
    }
  }

  private byte[] untilClosed() throws IOException {
    byte[] body = in.readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      throw new IOException("the answer is too large");
    }
    return body;
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
