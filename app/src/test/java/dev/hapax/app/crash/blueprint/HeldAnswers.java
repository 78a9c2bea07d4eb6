package dev.hapax.app.crash.blueprint;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * A proxy that holds the answers of a server from a moment on that the test names, until it cuts
 * the connections. What follows passes.
 */
final class HeldAnswers implements AutoCloseable {
  private final ServerSocket door;
  private final int port;
  private final BooleanSupplier begins;
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ExecutorService pumps = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Stands before a server of this machine.
   *
   * @param begins whether answers are held from now on; asked when bytes of the server have arrived
   *     here, so an answer that was made after the moment never passes
   */
  HeldAnswers(int port, BooleanSupplier begins) throws IOException {
    this.port = port;
    this.begins = begins;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    pumps.execute(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** Waits until an answer is held. */
  void await() throws InterruptedException {
    held.await();
  }

  /** Ends all connections, so that what is held never arrives. Later ones pass. */
  void cut() {
    sockets.forEach(HeldAnswers::end);
    open.countDown();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(client);
        sockets.add(server);
        pumps.execute(() -> pump(client, server, false));
        pumps.execute(() -> pump(server, client, true));
      }
    } catch (IOException e) {
      // it was closed
    }
  }

  private void pump(Socket from, Socket to, boolean isAnswer) {
    var buffer = new byte[8_192];
    try {
      for (int read = from.getInputStream().read(buffer);
          read >= 0;
          read = from.getInputStream().read(buffer)) {
        if (isAnswer && open.getCount() > 0 && begins.getAsBoolean()) {
          held.countDown();
          open.await();
        }
        to.getOutputStream().write(buffer, 0, read);
      }
    } catch (IOException e) {
      // the other side ends, too
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(from);
      end(to);
    }
  }

  private static void end(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is closed
    }
  }

  @Override
  public void close() {
    end(door);
    cut();
    pumps.shutdownNow();
  }
}
