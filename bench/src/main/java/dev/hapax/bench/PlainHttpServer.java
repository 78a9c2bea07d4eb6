package dev.hapax.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Answers every request with the same JSON, at the least cost: the load measures the caller. */
final class PlainHttpServer implements AutoCloseable {
  private static final String LENGTH = "content-length:";

  private final ServerSocket socket = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
  private final byte[] answer;
  private final LongAdder requests = new LongAdder();

  PlainHttpServer(String json) throws IOException {
    int length = json.getBytes(StandardCharsets.UTF_8).length;
    this.answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(length, json)
            .getBytes(StandardCharsets.UTF_8);
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  long requests() {
    return requests.sum();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        client.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> talk(client));
      } catch (IOException e) {
        // closed
      }
    }
  }

  private void talk(Socket client) {
    try (client) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      for (int body = head(in); body >= 0; body = head(in)) {
        in.skipNBytes(body);
        requests.increment();
        out.write(answer);
      }
    } catch (IOException e) {
      // the client has left
    }
  }

  /** Reads up to the empty line; returns the length of the body, or -1 at the end. */
  private static int head(InputStream in) throws IOException {
    int length = 0;
    var line = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      if (c != '\n') {
        line.append((char) c);
        continue;
      }
      String text = line.toString().strip().toLowerCase(Locale.ROOT);
      line.setLength(0);
      if (text.isEmpty()) {
        return length;
      }
      if (text.startsWith(LENGTH)) {
        length = Integer.parseInt(text.substring(LENGTH.length()).strip());
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
