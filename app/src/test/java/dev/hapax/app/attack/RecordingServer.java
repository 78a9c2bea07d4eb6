package dev.hapax.app.attack;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An honest destination on 127.0.0.1 that keeps the bytes of every request, head by head. */
final class RecordingServer implements AutoCloseable {
  private static final byte[] DONE =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}"
          .getBytes(StandardCharsets.US_ASCII);

  final List<String> heads = new CopyOnWriteArrayList<>();
  private final ServerSocket socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());

  RecordingServer() throws IOException {
    Thread.ofPlatform().daemon().start(this::accept);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept()) {
        client.setSoTimeout(5_000);
        heads.add(head(client.getInputStream()));
        client.getOutputStream().write(DONE);
      } catch (IOException e) {
        // the client left, or the test is over
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return head + "(broken off)";
      }
      head.append((char) next);
    }
    return head.toString();
  }

  int port() {
    return socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
