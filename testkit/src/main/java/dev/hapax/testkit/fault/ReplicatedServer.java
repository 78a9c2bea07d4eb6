package dev.hapax.testkit.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A PostgreSQL server and a standby that it waits for at every commit, behind one address. When the
 * standby is promoted, the address leads to it, and it gets its own standby. No acknowledged write
 * is ever lost. For one thread.
 */
public final class ReplicatedServer implements AutoCloseable {
  private static final String USER = "hapax";
  private static final Duration LOOK = Duration.ofMillis(50);

  private final FaultProxy proxy;
  private PostgresServer primary;
  private PostgresServer standby;

  private ReplicatedServer(PostgresServer primary) throws IOException {
    this.primary = primary;
    this.proxy = FaultProxy.before(primary.port());
    this.standby = follow();
  }

  /** Starts a standby of the present primary, which waits for it at every commit from now on. */
  private PostgresServer follow() throws IOException {
    PostgresServer next = primary.standby();
    awaitStandby("state = 'streaming'");
    PostgresCommand.run(
        primary.port(), USER, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    PostgresCommand.run(primary.port(), USER, "SELECT pg_reload_conf()");
    awaitStandby("sync_state = 'sync'");
    return next;
  }

  public static ReplicatedServer start() throws IOException {
    return new ReplicatedServer(
        PostgresServer.start(
            PostgresServer.Durability.FULL, Map.of("wal_retrieve_retry_interval", "'100ms'")));
  }

  /** Creates an empty database and returns a JDBC address that leads to the current primary. */
  public String newDatabase() {
    return primary.newDatabase().replace(":" + primary.port(), ":" + proxy.port());
  }

  /** Ends the primary at once and starts it again with its data. */
  public void restart() {
    primary.crash();
    primary.restart();
  }

  /** Ends the primary for good. The standby takes its place. */
  public void failOver() throws IOException {
    primary.crash();
    standby.promote();
    PostgresServer gone = primary;
    primary = standby;
    proxy.leadTo(primary.port());
    standby = follow();
    gone.close();
  }

  /**
   * Waits for the standby. Divides by zero until it is there, because the plain client reports
   * errors and no rows.
   */
  private void awaitStandby(String state) {
    String query = "SELECT 1 / count(*) FROM pg_stat_replication WHERE " + state;
    while (true) {
      try {
        PostgresCommand.run(primary.port(), USER, query);
        return;
      } catch (IOException e) {
        LockSupport.parkNanos(LOOK.toNanos());
      }
    }
  }

  @Override
  public void close() throws IOException {
    standby.close();
    primary.close();
    proxy.close();
  }
}
