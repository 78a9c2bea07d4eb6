package dev.hapax.flows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A proxy before a server. By a seed, whole answers are lost with their connection, delayed, or
 * sent twice. Requests arrive unchanged.
 */
final class TroubledProxy implements AutoCloseable {
  private static final Pattern LENGTH =
      Pattern.compile("\r\ncontent-length: *(\\d+)", Pattern.CASE_INSENSITIVE);
  private static final int ALWAYS_LOST = 5;

  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int target;
  private final Protocol protocol;
  private final Random random;
  private final AtomicInteger answers = new AtomicInteger();
  final AtomicInteger lost = new AtomicInteger();
  final AtomicInteger delayed = new AtomicInteger();
  final AtomicInteger doubled = new AtomicInteger();

  /** Where an answer ends, and one in how many is lost, delayed or comes twice. */
  enum Protocol {
    HTTP(10, true) {
      @Override
      byte @Nullable [] answer(InputStream in) throws IOException {
        byte[] head = until(in, "\r\n\r\n");
        if (head == null) {
          return null;
        }
        Matcher length = LENGTH.matcher(new String(head, StandardCharsets.ISO_8859_1));
        return length.find()
            ? joined(head, in.readNBytes(Integer.parseInt(length.group(1))))
            : head;
      }
    },
    SMTP(20, true) {
      @Override
      byte @Nullable [] answer(InputStream in) throws IOException {
        return until(in, "\r\n");
      }
    },
    /** Twice is left out: the protocol numbers nothing, so a client could not notice. */
    POSTGRES(25, false) {
      @Override
      byte @Nullable [] answer(InputStream in) throws IOException {
        byte[] buffer = new byte[8192];
        int read = in.read(buffer);
        return read < 0 ? null : Arrays.copyOf(buffer, read);
      }
    };

    private final int oneIn;
    private final boolean canDouble;

    Protocol(int oneIn, boolean canDouble) {
      this.oneIn = oneIn;
      this.canDouble = canDouble;
    }

    /** Null at the end. */
    abstract byte @Nullable [] answer(InputStream in) throws IOException;
  }

  TroubledProxy(Protocol protocol, int target, long seed) throws IOException {
    this.protocol = protocol;
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
        var server = new Socket(InetAddress.getLoopbackAddress(), target);
        Thread.ofVirtual().start(() -> passRequests(client, server));
        Thread.ofVirtual().start(() -> passAnswers(server, client));
      } catch (IOException e) {
        return; // the test is over
      }
    }
  }

  /** The server hears of the client's end, and may still say something. */
  private static void passRequests(Socket client, Socket server) {
    try {
      client.getInputStream().transferTo(server.getOutputStream());
    } catch (IOException e) {
      // the client was killed; a server that does not hear of it keeps its transaction, and others
      // wait
    }
    try {
      server.shutdownOutput();
    } catch (IOException e) {
      // it has gone too
    }
  }

  private void passAnswers(Socket server, Socket client) {
    try (client;
        server) {
      InputStream in = server.getInputStream();
      byte[] answer = protocol.answer(in);
      while (answer != null && pass(answer, client)) {
        answer = protocol.answer(in);
      }
    } catch (IOException | InterruptedException e) {
      // one of them has gone
    }
  }

  private boolean pass(byte[] answer, Socket client) throws IOException, InterruptedException {
    int fault = answers.incrementAndGet() == ALWAYS_LOST ? 0 : next(protocol.oneIn);
    if (fault == 0) {
      lost.incrementAndGet();
      return false;
    }
    if (fault == 1) {
      delayed.incrementAndGet();
      Thread.sleep(next(3_000)); // some of them beyond the step's timeout
    }
    boolean twice = fault == 2 && protocol.canDouble;
    if (twice) {
      doubled.incrementAndGet();
    }
    client.getOutputStream().write(twice ? joined(answer, answer) : answer);
    return true;
  }

  private synchronized int next(int bound) {
    return random.nextInt(bound);
  }

  private static byte @Nullable [] until(InputStream in, String end) throws IOException {
    var text = new StringBuilder();
    while (text.length() < end.length() || text.indexOf(end, text.length() - end.length()) < 0) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      text.append((char) next);
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] joined(byte[] one, byte[] other) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(one);
    out.writeBytes(other);
    return out.toByteArray();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
