package dev.hapax.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stands between clients and a server on this machine and passes bytes on, until it is told to
 * fail: then the connection on which the given byte comes fails at exactly that byte.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 8192;
  private static final Duration LATE = Duration.ofMillis(40);

  private final ServerSocket listening;
  private volatile int target;
  private final AtomicReference<@Nullable Armed> armed = new AtomicReference<>();

  private FaultProxy(ServerSocket listening, int target) {
    this.listening = listening;
    this.target = target;
  }

  /** How a connection fails, and in which direction. */
  public enum Fault {
    /** What the client sends from this byte on never arrives, and both sides see the end. */
    CUT_REQUEST(true),
    /** What the server answers from this byte on never arrives, and both sides see the end. */
    CUT_ANSWER(false),
    /** The server hears the end after this byte of a request; its answers still arrive. */
    HALF_CLOSE_REQUEST(true),
    /** The client hears the end after this byte of an answer; the server hears nothing of it. */
    HALF_CLOSE_ANSWER(false),
    /** What the client sends from this byte on comes late. */
    DELAY_REQUEST(true),
    /** What the server answers from this byte on comes late. */
    DELAY_ANSWER(false);

    private final boolean isOfRequest;

    Fault(boolean isOfRequest) {
      this.isOfRequest = isOfRequest;
    }

    public boolean isOfRequest() {
      return isOfRequest;
    }

    /** Whether the connection is lost by it. */
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

    /** How many of these bytes still pass; those of the other direction all do. */
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

  /** Whoever connects from now on is led to another server; who is connected stays where it is. */
  public void leadTo(int port) {
    target = port;
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** The next fault, after so many bytes in its direction; it happens once. */
  public void failAfter(Fault fault, long bytes) {
    armed.set(new Armed(fault, bytes));
  }

  /** Whether the last fault that was asked for is still to come; it will not any more. */
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
      return; // one side has gone: the other is closed too
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
