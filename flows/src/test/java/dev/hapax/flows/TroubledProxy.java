package dev.hapax.flows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Stands before an HTTP server; whole answers are lost, delayed or doubled, by a seed. */
final class TroubledProxy implements AutoCloseable {
  private static final Pattern LENGTH =
      Pattern.compile("\r\ncontent-length: *(\\d+)", Pattern.CASE_INSENSITIVE);

  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final Random random;
  final AtomicInteger lost = new AtomicInteger();
  final AtomicInteger delayed = new AtomicInteger();
  final AtomicInteger doubled = new AtomicInteger();

  TroubledProxy(int target, long seed) throws IOException {
    this.target = target;
    this.random = new Random(seed);
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return; // the test is over
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        var server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      while (true) {
        byte[] request = message(client.getInputStream());
        if (request == null) {
          return;
        }
        server.getOutputStream().write(request);
        byte[] answer = message(server.getInputStream());
        if (answer == null || !pass(answer, client)) {
          return;
        }
      }
    } catch (IOException | InterruptedException e) {
      // one of them has gone
    }
  }

  private boolean pass(byte[] answer, Socket client) throws IOException, InterruptedException {
    int fault = next(10);
    if (fault == 0) {
      lost.incrementAndGet();
      return false;
    }
    if (fault == 1) {
      delayed.incrementAndGet();
      Thread.sleep(next(3_000)); // some of them beyond the step's timeout
    }
    var out = new ByteArrayOutputStream();
    out.write(answer);
    if (fault == 2) {
      doubled.incrementAndGet();
      out.write(answer);
    }
    client.getOutputStream().write(out.toByteArray());
    return true;
  }

  private synchronized int next(int bound) {
    return random.nextInt(bound);
  }

  /** Head and body; null at the end. */
  private static byte @Nullable [] message(InputStream in) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (int next; !endsHead(bytes); bytes.write(next)) {
      next = in.read();
      if (next < 0) {
        return null;
      }
    }
    Matcher length = LENGTH.matcher(bytes.toString(StandardCharsets.ISO_8859_1));
    if (length.find()) {
      bytes.write(in.readNBytes(Integer.parseInt(length.group(1))));
    }
    return bytes.toByteArray();
  }

  private static boolean endsHead(ByteArrayOutputStream bytes) {
    int size = bytes.size();
    return size >= 4 && bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n");
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
