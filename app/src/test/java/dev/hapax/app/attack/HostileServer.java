package dev.hapax.app.attack;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A destination on 127.0.0.1 that misbehaves on raw sockets, each on its own thread. */
final class HostileServer implements AutoCloseable {
  private final ServerSocket socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
  private volatile boolean isOver;

  /** One conversation; an exception ends it. */
  interface Script {
    void talk(HostileServer server, Socket client) throws IOException, InterruptedException;
  }

  HostileServer(Script script) throws IOException {
    Thread.ofPlatform().daemon().start(() -> accept(script));
  }

  private void accept(Script script) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Thread.ofPlatform().daemon().start(() -> serve(script, client));
      } catch (IOException e) {
        // the test is over
      }
    }
  }

  private void serve(Script script, Socket client) {
    try (client) {
      script.talk(this, client);
    } catch (IOException | InterruptedException e) {
      // the client has had enough
    }
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Notes that a request came. */
  void count(String what) {
    counts.computeIfAbsent(what, _ -> new AtomicInteger()).incrementAndGet();
  }

  int counted(String what) {
    return counts.getOrDefault(what, new AtomicInteger()).get();
  }

  /** Writes the start, and then this again and again, as fast as the client reads. */
  void forever(Socket client, String start, String again) throws IOException {
    OutputStream out = client.getOutputStream();
    out.write(bytes(start));
    byte[] many = bytes(again.repeat(1 + 8_192 / again.length()));
    while (!isOver) {
      out.write(many);
    }
  }

  /** Writes a byte every 50 ms: each of them would begin a timeout anew. */
  void drip(Socket client, String start, String rest) throws IOException, InterruptedException {
    OutputStream out = client.getOutputStream();
    out.write(bytes(start));
    for (int i = 0; !isOver; i++) {
      out.write(rest.charAt(i % rest.length()));
      TimeUnit.MILLISECONDS.sleep(50); // the attack itself
    }
  }

  /** Says this and then nothing more, until the client leaves. */
  static void silence(Socket client, String start) throws IOException {
    client.getOutputStream().write(bytes(start));
    client.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    isOver = true;
    socket.close();
  }
}
