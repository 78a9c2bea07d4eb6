package dev.hapax.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Connections to one server that are kept open, one request at a time on each. As little as HTTP
 * allows: the load measures the server, and its caller runs on the same cores.
 */
final class HttpConnections implements AutoCloseable {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

  private final URI address;
  private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();

  HttpConnections(URI address) {
    this.address = address;
  }

  /** The answer. */
  record Reply(int status, String body) {}

  /** Sends a request and awaits its answer. */
  Reply send(String method, String path, Map<String, String> headers, String body)
      throws IOException {
    Connection connection = fresh();
    try {
      Reply reply = connection.send(method, path, headers, body);
      connection.usedAt = System.nanoTime();
      idle.add(connection);
      return reply;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** A server closes connections that were silent for long. */
  private Connection fresh() throws IOException {
    for (Connection next; (next = idle.poll()) != null; ) {
      if (System.nanoTime() - next.usedAt < LONGEST_SILENCE.toNanos()) {
        return next;
      }
      next.close();
    }
    return new Connection(address);
  }

  @Override
  public void close() throws IOException {
    for (Connection next; (next = idle.poll()) != null; ) {
      next.close();
    }
  }

  private static final class Connection {
    private final String host;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private long usedAt;

    Connection(URI address) throws IOException {
      this.host = address.getHost() + ":" + address.getPort();
      this.socket = new Socket(address.getHost(), address.getPort());
      socket.setTcpNoDelay(true);
      this.in = new BufferedInputStream(socket.getInputStream());
      this.out = socket.getOutputStream();
    }

    Reply send(String method, String path, Map<String, String> headers, String body)
        throws IOException {
      byte[] content = body.getBytes(StandardCharsets.UTF_8);
      var head = new StringBuilder(256);
      head.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: ").append(host);
      headers.forEach((name, value) -> head.append("\r\n").append(name).append(": ").append(value));
      head.append("\r\nContent-Length: ").append(content.length).append("\r\n\r\n");
      var request = new ByteArrayOutputStream(head.length() + content.length);
      request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
      request.writeBytes(content);
      out.write(request.toByteArray());
      return reply();
    }

    private Reply reply() throws IOException {
      int status = Integer.parseInt(line().split(" ", 3)[1]);
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        String header = line.toLowerCase(Locale.ROOT);
        if (header.startsWith("content-length:")) {
          length = Integer.parseInt(header.substring("content-length:".length()).strip());
        } else if (header.startsWith("transfer-encoding:")) {
          length = -1;
        }
      }
      byte[] body = length >= 0 ? in.readNBytes(length) : chunks();
      return new Reply(status, new String(body, StandardCharsets.UTF_8));
    }

    private byte[] chunks() throws IOException {
      var whole = new ByteArrayOutputStream();
      while (true) {
        int length = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
        whole.writeBytes(in.readNBytes(length));
        line();
        if (length == 0) {
          return whole.toByteArray();
        }
      }
    }

    private String line() throws IOException {
      var line = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          throw new IOException("the server has closed the connection");
        }
        if (c != '\r') {
          line.append((char) c);
        }
      }
      return line.toString();
    }

    void close() throws IOException {
      socket.close();
    }
  }
}
