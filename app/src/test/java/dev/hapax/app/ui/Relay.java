package dev.hapax.app.ui;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;

/** Stands between a browser and a server: holds answers back or up, and loses connections. */
final class Relay implements AutoCloseable {
  private final ServerSocket door;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile int target;
  private volatile boolean isCut;
  private volatile CountDownLatch held = new CountDownLatch(0);
  private volatile long lateMillis;
  private final ScheduledExecutorService late = Executors.newSingleThreadScheduledExecutor();

  Relay(URI server) throws IOException {
    target = server.getPort();
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  URI at(String path) {
    return URI.create("http://127.0.0.1:" + door.getLocalPort() + path);
  }

  /** Answers reach the browser only after {@link #release}. */
  void hold() {
    held = new CountDownLatch(1);
  }

  void release() {
    held.countDown();
  }

  /** From now on each answer reaches the browser so much later, in the order of the answers. */
  void delay(Duration time) {
    lateMillis = time.toMillis();
  }

  /** Loses all connections, and refuses new ones. */
  void cut() {
    isCut = true;
    sockets.forEach(Relay::end);
  }

  /** Leads to a server again, which may have another port now. */
  void mend(URI server) {
    target = server.getPort();
    isCut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket browser = door.accept();
        sockets.add(browser);
        if (isCut) {
          end(browser);
        } else {
          Thread.ofVirtual().start(() -> connect(browser));
        }
      }
    } catch (SocketException closed) {
      sockets.forEach(Relay::end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connect(Socket browser) {
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(server);
      Thread.ofVirtual().start(() -> copy(browser, server, false));
      copy(server, browser, true);
    } catch (IOException e) {
      end(browser);
    }
  }

  private void copy(Socket from, Socket to, boolean isAnswer) {
    try {
      InputStream in = from.getInputStream();
      byte[] bytes = new byte[16_384];
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        if (isAnswer) {
          held.await();
          passLate(to, Arrays.copyOf(bytes, n));
        } else {
          to.getOutputStream().write(bytes, 0, n);
        }
      }
      if (isAnswer) {
        late.schedule(() -> {}, lateMillis, MILLISECONDS).get(); // the last part is on its way
      }
    } catch (IOException | ExecutionException | RejectedExecutionException e) {
      // lost, as it should be
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(from);
      end(to);
    }
  }

  /** Parts of one answer keep their order, because all are delayed equally. */
  private void passLate(Socket to, byte[] part) throws IOException {
    if (lateMillis == 0) {
      to.getOutputStream().write(part);
      return;
    }
    var _ =
        late.schedule(
            () -> {
              try {
                to.getOutputStream().write(part);
              } catch (IOException e) {
                end(to); // the browser went away
              }
            },
            lateMillis,
            MILLISECONDS);
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    release();
    door.close();
    late.shutdownNow();
  }
}
