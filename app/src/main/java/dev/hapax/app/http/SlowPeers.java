package dev.hapax.app.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Disconnects peers that send a request byte by byte: each byte keeps a connection from being idle,
 * so the idle timeout alone never ends it.
 */
final class SlowPeers implements Connection.Listener {
  private static final int LOOKS = 6;
  private static final int PATIENCE = 3;

  private final Map<Connection, Look> looks = new ConcurrentHashMap<>();
  private final Scheduler scheduler;
  private final Duration between;

  /**
   * Checks every connection several times within this time.
   *
   * @param within the idle timeout of connections
   */
  SlowPeers(Scheduler scheduler, Duration within) {
    this.scheduler = scheduler;
    this.between = within.dividedBy(LOOKS);
  }

  /** The state of a connection at the last check, and how often it dripped since. */
  private record Look(long messages, long bytes, int drips) {
    Look next(Connection connection) {
      long bytesNow = connection.getBytesIn();
      boolean isDripping =
          connection.getMessagesIn() == messages
              && connection.getMessagesOut() >= messages
              && bytesNow > bytes;
      return new Look(connection.getMessagesIn(), bytesNow, isDripping ? drips + 1 : 0);
    }
  }

  void start() {
    scheduler.schedule(this::look, between.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look() {
    looks.replaceAll((connection, before) -> before.next(connection));
    looks.forEach(
        (connection, look) -> {
          if (look.drips() >= PATIENCE) {
            connection.getEndPoint().close();
          }
        });
    if (scheduler.isRunning()) {
      start();
    }
  }

  @Override
  public void onOpened(Connection connection) {
    looks.put(connection, new Look(0, 0, 0));
  }

  @Override
  public void onClosed(Connection connection) {
    looks.remove(connection);
  }
}
