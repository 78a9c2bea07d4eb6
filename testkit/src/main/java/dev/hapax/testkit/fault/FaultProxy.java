package dev.hapax.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Passes bytes between clients and a server on this machine. When a fault is armed, the connection
 * that carries the given byte fails at exactly that byte.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 8192;
  private static final Duration LATE = Duration.ofMillis(40);

  private final ServerSocket listening;
  private volatile int target;
  private volatile CountDownLatch silence = new CountDownLatch(0);
  private final AtomicReference<@Nullable Armed> armed = new AtomicReference<>();

  private FaultProxy(ServerSocket listening, int target) {
    this.listening = listening;
    this.target = target;
  }

  /** How a connection fails, and in which direction. */
  public enum Fault {
    /** Bytes of the client from this one on never arrive, and both sides see the end. */
    CUT_REQUEST(true),
    /** Bytes of the server from this one on never arrive, and both sides see the end. */
    CUT_ANSWER(false),
    /** The server sees the end after this byte of a request; its answers still arrive. */
    HALF_CLOSE_REQUEST(true),
    /** The client sees the end after this byte of an answer; the server does not notice. */
    HALF_CLOSE_ANSWER(false),
    /** Bytes of the client from this one on arrive late. */
    DELAY_REQUEST(true),
    /** Bytes of the server from this one on arrive late. */
    DELAY_ANSWER(false);

    private final boolean isOfRequest;

    Fault(boolean isOfRequest) {
      this.isOfRequest = isOfRequest;
    }

    public boolean isOfRequest() {
      return isOfRequest;
    }

    /** Whether it ends the connection. */
    public boolean isEnd() {
      return this != DELAY_REQUEST && this != DELAY_ANSWER;
    }

    private boolean isHalfClose() {
      return this == HALF_CLOSE_REQUEST || this == HALF_CLOSE_ANSWER;
    }
  }

  private static final class Armed {
    private final Fault fault;
    private long left;

    Armed(Fault fault, long left) {
      this.fault = fault;
      this.left = left;
    }

    /** Returns how many of these bytes still pass. All bytes of the other direction pass. */
    synchronized int pass(int bytes, boolean isRequest) {
      if (fault.isOfRequest() != isRequest) {
        return bytes;
      }
      int passing = (int) Math.min(bytes, left);
      left -= passing;
      return passing;
    }
  }

  public static FaultProxy before(int port) throws IOException {
    var listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    var proxy = new FaultProxy(listening, port);
    Thread.ofVirtual().name("proxy").start(proxy::accept);
    return proxy;
  }

  /** Leads new connections to another server. Existing connections stay with theirs. */
  public void leadTo(int port) {
    target = port;
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Arms the next fault, after so many bytes in its direction. It happens once. */
  public void failAfter(Fault fault, long bytes) {
    armed.set(new Armed(fault, bytes));
  }

  /**
   * From now on nothing passes on present connections, and neither side hears of it, as if the
   * machine between them had lost its power. New connections are taken and stay silent as well.
   */
  public void fallSilent() {
    silence = new CountDownLatch(1);
  }

  /** Ends the silence: what was held back passes, if both sides are still there. */
  public void speakAgain() {
    silence.countDown();
  }

  /** Cancels the last fault that was armed; returns whether it had not happened yet. */
  public boolean disarm() {
    return armed.getAndSet(null) != null;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), target);
        Thread.ofVirtual().start(() -> pass(client, server, true));
        Thread.ofVirtual().start(() -> pass(server, client, false));
      } catch (IOException e) {
        // Closed, or the server is away.
      }
    }
  }

  private void pass(Socket from, Socket to, boolean isRequest) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read; (read = in.read(buffer)) >= 0; ) {
        silence.await();
        Armed fault = armed.get();
        int passing = fault == null ? read : fault.pass(read, isRequest);
        out.write(buffer, 0, passing);
        out.flush();
        if (fault != null && passing < read) {
          armed.set(null);
          if (!fault.fault.isEnd()) {
            Thread.sleep(LATE);
            out.write(buffer, passing, read - passing);
            out.flush();
            continue;
          }
          if (fault.fault.isHalfClose()) {
            to.shutdownOutput();
            in.transferTo(OutputStream.nullOutputStream());
          }
          return;
        }
      }
    } catch (IOException | InterruptedException e) {
      return; // one side is closed: the other is closed too
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    speakAgain();
  }
}
