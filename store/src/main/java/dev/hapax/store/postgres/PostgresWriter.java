package dev.hapax.store.postgres;

import dev.hapax.flow.Failover;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreFull;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Obstacle;
import dev.hapax.store.UnknownCommit;
import dev.hapax.store.jdbc.ChangeDoesNotHold;
import dev.hapax.store.jdbc.LineNotLocked;
import dev.hapax.store.jdbc.NewestTime;
import dev.hapax.store.jdbc.Refusals;
import dev.hapax.store.jdbc.Session;
import dev.hapax.time.IdSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes batches durable, one transaction each. Used by one thread at a time. An error before COMMIT
 * is a rollback: the batch lands without the group that caused it, or is tried again. After an
 * error at COMMIT the outcome is unknown until the same batch is submitted again.
 */
final class PostgresWriter {
  private static final Logger log = LoggerFactory.getLogger(PostgresWriter.class);

  /** Over the rows that have a number: none may be made twice, even after a clock was set back. */
  static final String NEWEST_NUMBER =
      """
      SELECT greatest((SELECT max(number) FROM run), (SELECT max(number) FROM effect), (SELECT max(number) FROM wait),
        (SELECT max(number) FROM expired_run), (SELECT max(number) FROM expired_effect), (SELECT max(number) FROM kv),
        (SELECT max(op) FROM answered), (SELECT max(number) FROM resource), 0)
      """;

  private final PostgresConnections connections;
  private final PostgresLease lease;
  private final NewestTime newest;
  private final OneTrip oneTrip;
  private final Servers servers = new Servers();
  private @Nullable PostgresTables tables;

  /** Whether the open transaction holds the lease. */
  private boolean isFenced;

  /** Set after a commit whose outcome was unknown: see {@link #writeNewest}. */
  private boolean wasUnknown;

  PostgresWriter(PostgresConnections connections) throws SQLException {
    this.connections = connections;
    Session session = connect();
    this.lease = PostgresLease.join(session);
    this.oneTrip = new OneTrip(lease);
    this.tables = new PostgresTables(session, lease);
    this.newest =
        new NewestTime(
            Instant.ofEpochMilli(number("SELECT value FROM meta WHERE name = 'newest_at'")),
            IdSource.timeOf(number(NEWEST_NUMBER)));
    tables.session().connection().commit();
  }

  private long number(String sql) throws SQLException {
    try (var query = tables().session().prepare(sql)) {
      Long number = query.first(row -> row.number(1));
      return number == null ? 0 : number;
    }
  }

  Instant newest() {
    return newest.newest();
  }

  PostgresLease lease() {
    return lease;
  }

  List<GroupAnswer> commit(Batch batch) {
    var attempt = new BatchAttempt(batch);
    List<GroupAnswer> swift = tryInOneTrip(attempt);
    if (swift != null) {
      return swift;
    }
    while (true) {
      List<GroupAnswer> answers = tryCommit(attempt);
      if (answers != null) {
        return answers;
      }
    }
  }

  /** Returns null if nothing was written, because something is not as expected. */
  private @Nullable List<GroupAnswer> tryInOneTrip(BatchAttempt attempt) {
    Batch batch = attempt.batch();
    if (wasUnknown
        || !attempt.isAllPlain()
        || newest.isToBeWritten(batch.groups().getLast().at())
        || !oneTrip.isWorthTrying()) {
      return null;
    }
    try {
      waitAtMost(attempt.patience());
      OneTrip.Outcome outcome = oneTrip.write(tables().script(), batch.groups());
      if (outcome == null) {
        return null;
      }
      if (outcome.warning() != null) {
        throw unknown(outcome.warning());
      }
      newest.landed(newest.after(batch, outcome.answers()));
      return outcome.answers();
    } catch (SQLException e) {
      if (!PostgresErrors.isBeforeCommit(e)) {
        throw unknown("an error in a transaction with its COMMIT: " + e.getMessage(), e);
      }
      log.debug("the batch is written again in separate statements", e);
      if (PostgresErrors.isBlocked(e)) {
        attempt.hurry();
      }
      oneTrip.failed();
      rollBack();
      return null;
    }
  }

  /**
   * Writes all groups in one transaction, except those that are decided already.
   *
   * @return null if it was rolled back and must be tried again
   */
  private @Nullable List<GroupAnswer> tryCommit(BatchAttempt attempt) {
    try {
      isFenced = false;
      waitAtMost(attempt.patience());
      attempt.begin();
      while (attempt.hasNext()) {
        boolean written =
            attempt.nextIsPlain() ? writePlain(attempt) : writeOne(attempt, attempt.next());
        if (!written) {
          tables().rollBack();
          return null;
        }
      }
      fence(); // also if all of them were decided before
      List<GroupAnswer> answers = attempt.answers();
      Instant newestAt = newest.after(attempt.batch(), answers);
      writeNewest(newestAt);
      commit();
      newest.landed(newestAt);
      return answers;
    } catch (SQLException e) {
      failed(e, attempt);
      return null;
    }
  }

  /** Returns false if the transaction must be rolled back and tried again. */
  private boolean writePlain(BatchAttempt attempt) throws SQLException {
    List<Group> groups = attempt.nextPlain();
    try {
      Script script = tables().script();
      if (!isFenced) {
        script.then(lease.fence(), _ -> isFenced = true);
      }
      return switch (PlainGroups.write(script, tables().groups(), groups)) {
        case PlainGroups.Outcome.Landed(var answers) -> {
          requireFence();
          attempt.landed(answers);
          yield true;
        }
        case PlainGroups.Outcome.Deviate(var deviating) -> {
          attempt.oneByOne(deviating);
          yield false;
        }
      };
    } catch (SQLException e) {
      if (PostgresErrors.isBlocked(e)) {
        attempt.hurry();
      } else if (!PostgresErrors.isOfTheData(e)) {
        throw e;
      }
      attempt.oneByOne(groups); // to find the group with the bad data or the lock
      return false;
    } catch (RuntimeException e) {
      log.error(
          "a group cannot be written together with others; the groups are written one by one", e);
      attempt.oneByOne(groups);
      return false;
    }
  }

  /** Returns false if the transaction must be rolled back and tried again. */
  private boolean writeOne(BatchAttempt attempt, Group group) throws SQLException {
    fence();
    Savepoint before = attempt.isHurried() ? tables().savepoint() : null;
    try {
      GroupAnswer answer = tables().groups().write(group);
      if (before != null) {
        tables().release(before);
      }
      attempt.landed(List.of(answer));
      return true;
    } catch (ChangeDoesNotHold e) {
      attempt.decided(group, e.answer());
    } catch (SQLException e) {
      if (PostgresErrors.isRival(e) && attempt.mayMeetRival()) {
        log.debug("another writer was faster; the batch is tried again", e);
      } else if (PostgresErrors.isOfTheData(e) || PostgresErrors.isRival(e)) {
        attempt.decided(group, Refusals.refused(group, e));
      } else if (PostgresErrors.isBlocked(e)) {
        attempt.hurry();
        attempt.blocked(group, obstacle(group, e));
        if (before != null) {
          tables().rollBackTo(before);
          attempt.passDecided();
          return true; // many may be blocked, and all the others are written
        }
      } else {
        throw e;
      }
    } catch (RuntimeException e) {
      // No error of one group may stop the other runs.
      attempt.decided(group, Refusals.refused(group, e));
    }
    return false;
  }

  private static Obstacle obstacle(Group group, SQLException e) {
    return e instanceof LineNotLocked line ? Obstacle.line(line.subject()) : Obstacle.rowOf(group);
  }

  /**
   * Applies from here on. A long transaction elsewhere delays only the groups that need its rows.
   */
  private void waitAtMost(Duration patience) throws SQLException {
    tables().waitAtMost(patience);
  }

  private void fence() throws SQLException {
    if (!isFenced) {
      isFenced = tables().isFenced();
      requireFence();
    }
  }

  private void requireFence() {
    if (!isFenced) {
      disconnect();
      throw new StoreBroken(
          "this node has lost its lease: another node has taken over its runs and continues them."
              + " Open the store again to join with a new lease.",
          null);
    }
  }

  private void commit() throws SQLException {
    Connection connection = tables().session().connection();
    connection.clearWarnings();
    try {
      connection.commit();
    } catch (SQLException e) {
      throw unknown("an error at COMMIT: " + e.getMessage(), e);
    }
    SQLWarning warning = connection.getWarnings();
    if (warning != null) {
      throw unknown(warning);
    }
    wasUnknown = false;
  }

  /** The wait for a synchronous standby was canceled: durable here, but perhaps nowhere else. */
  private UnknownCommit unknown(SQLWarning warning) {
    return unknown("a warning at COMMIT: " + warning.getMessage(), warning);
  }

  private UnknownCommit unknown(String message, SQLException e) {
    wasUnknown = true;
    disconnect();
    return new UnknownCommit(message, e);
  }

  /** Rolls back; returns if the transaction must be tried again at once. */
  private void failed(SQLException e, BatchAttempt attempt) {
    if (PostgresErrors.isInTheWay(e) && attempt.mayBeInTheWay()) {
      log.debug("another transaction was in the way; the batch is tried again", e);
      rollBack();
      return;
    }
    disconnect();
    if (PostgresErrors.isFull(e)) {
      throw new StoreFull("the server has no space. Nothing was lost: free some space", e);
    }
    // Nothing has landed; submitting the same batch again is always right.
    throw new UnknownCommit("the batch could not be written: " + e.getMessage(), e);
  }

  private void rollBack() {
    try {
      tables().rollBack();
    } catch (SQLException e) {
      disconnect();
    }
  }

  private PostgresTables tables() throws SQLException {
    PostgresTables present = tables;
    if (present == null) {
      present = new PostgresTables(connect(), lease);
      tables = present;
    }
    return present;
  }

  private Session connect() throws SQLException {
    Session session = connections.writer();
    try {
      servers.note(session);
      return session;
    } catch (SQLException e) {
      session.close();
      throw e;
    }
  }

  List<Failover> failovers() {
    return servers.failovers();
  }

  /** Closes the connection, which rolls back anything not committed. */
  private void disconnect() {
    PostgresTables last = tables;
    tables = null;
    if (last != null) {
      try {
        last.close();
      } catch (SQLException e) {
        log.debug("a connection could not be closed", e);
      }
    }
  }

  /**
   * Always writes after an unknown commit: a transaction that finds all its groups landed would
   * write nothing, and a COMMIT that writes nothing does not wait for the standby either.
   */
  private void writeNewest(Instant newestAt) throws SQLException {
    if (wasUnknown || newest.isToBeWritten(newestAt)) {
      tables().setNewestAt(newestAt);
      newest.wrote(newestAt);
    }
  }

  int mark() {
    return lease.mark();
  }

  /** The renewal locks the lease more strictly than a fence does. */
  HeartbeatReply heartbeat(NodeReport report) {
    return alone(
        open -> {
          HeartbeatReply reply = open.nodes().heartbeat(report);
          isFenced = reply != null;
          requireFence();
          servers.follow(open.session());
          if (servers.identity().restored() != null) {
            servers.read(open.session()); // a person may have answered on another node
          }
          return Objects.requireNonNull(reply);
        });
  }

  PostgresIdentity identity() {
    return servers.identity();
  }

  void restore(Restoration as, long freshId, Instant at) {
    alone(
        open -> {
          fence();
          if (servers.identity().restored() != null) { // else the answer was lost, and it is done
            servers.identity().settle(open.session(), as, freshId, at);
          }
          return true;
        });
    alone(
        open -> {
          fence();
          servers.read(open.session());
          return true;
        });
  }

  byte[] secret(byte[] fresh) {
    return alone(
        open -> {
          fence();
          return open.groups().secret(fresh);
        });
  }

  /**
   * Returns whether the key was this one. TRUNCATE drops the file; DELETE would leave the bytes.
   */
  boolean eraseSecret(byte[] known) {
    return alone(
        open -> {
          fence();
          boolean isThere = Arrays.equals(known, open.groups().secret());
          if (isThere) {
            PostgresConnections.run(open.session().connection(), "TRUNCATE secret");
          }
          return isThere;
        });
  }

  /** Runs a transaction that is about no group, and may be repeated. */
  private <T> T alone(Work<T> work) {
    var attempt = new BatchAttempt(new Batch(List.of()));
    while (true) {
      try {
        isFenced = false;
        waitAtMost(Batch.USUAL_PATIENCE);
        T done = work.on(tables());
        commit();
        return done;
      } catch (SQLException e) {
        failed(e, attempt);
      }
    }
  }

  /**
   * @param orderly false if this node may still have work under way that it cannot record: then its
   *     lease runs out by itself
   */
  void close(boolean orderly) {
    PostgresTables last = tables;
    if (orderly && last != null) {
      try {
        lease.leave(last.session());
        last.session().connection().commit();
      } catch (SQLException e) {
        log.warn("the lease could not be given back; it expires by itself", e);
      }
    }
    disconnect();
  }

  @FunctionalInterface
  private interface Work<T> {
    T on(PostgresTables tables) throws SQLException;
  }
}
