package dev.hapax.store.postgres;

import dev.hapax.flow.Failover;
import dev.hapax.flow.Restored;
import dev.hapax.store.jdbc.Session;
import dev.hapax.time.IdSource;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the database is on another server than before, or that the server was set back, and
 * records it before anything else is written there. The writer asks on every new connection: a
 * connection never outlives its server, and a server that continues after a crash or a restart
 * keeps its name and all that it has flushed.
 */
final class Servers {
  private static final Logger log = LoggerFactory.getLogger(Servers.class);
  private static final String READ_ONLY = "25006";

  /**
   * A promoted server begins its own timeline, and a newly created one has another identifier.
   * Needs no rights; null on a standby.
   */
  private static final String PRESENT =
      """
      SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
        cast(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS bigint)
      WHERE NOT pg_is_in_recovery()
      """;

  private static final String POSITION =
      "SELECT cast(pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') AS bigint)";

  private static final String LAST = "SELECT name, number FROM server ORDER BY number DESC LIMIT 1";

  private static final String ONE_AT_A_TIME =
      "SELECT pg_advisory_xact_lock(%d)".formatted(0x48617079);

  private static final String NEWEST_TIMES =
      """
      SELECT greatest((SELECT value FROM meta WHERE name = 'newest_at'),
          (SELECT cast(extract(epoch FROM max(renewed_at)) * 1000 AS bigint) FROM lease)),
        cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)
      """;

  private static final String NOTE =
      """
      INSERT INTO server (number, name, noted_at, lost_since)
      SELECT coalesce(max(number), 0) + 1, :name, :noted, cast(:lost AS bigint) FROM server
      """;

  /** A server that is noted twice in a row is one on which the store was restored. */
  private static final String FAILOVERS =
      """
      SELECT lost_since, noted_at, name = before FROM (
        SELECT number, name, noted_at, lost_since, lag(name) OVER (ORDER BY number) AS before FROM server) AS noted
      WHERE lost_since IS NOT NULL ORDER BY number
      """;

  private final PostgresIdentity identity = new PostgresIdentity();
  private @Nullable String known;

  /** The newest position of the server's log that this node has seen: all before it was durable. */
  private long position;

  /** Of the newest row when the last connection was opened. */
  private long noted;

  private volatile List<Failover> failovers = List.of();

  List<Failover> failovers() {
    return failovers;
  }

  PostgresIdentity identity() {
    return identity;
  }

  /** Must come before any other statement on a new connection. */
  void note(Session session) throws SQLException {
    Server present = present(session);
    if (known == null) {
      noteIfMoved(session);
    }
    if (present != null) {
      if (!present.name().equals(known)) {
        noteIfNew(session, present.name());
        known = present.name();
      } else if (present.position() < position) {
        noteSetBack(session, present);
      }
      position = present.position();
      Last last = last(session);
      noted = last == null ? 0 : last.number();
    }
    read(session);
    session.connection().commit();
  }

  /** Reads how far the server is, so that it is noticed if it is set back to before. */
  void follow(Session session) throws SQLException {
    if (known != null) { // else it may not know the function
      try (var read = session.prepare(POSITION)) {
        Long now = read.first(row -> row.number(1));
        position = now == null ? position : Math.max(position, now);
      }
    }
  }

  /**
   * A server.
   *
   * @param position up to which its log is durable
   */
  private record Server(String name, long position) {}

  private record Last(String name, long number) {}

  /** Reads what other nodes may have noted. */
  void read(Session session) throws SQLException {
    try (var read = session.prepare(FAILOVERS)) {
      failovers = read.all(row -> new Failover(row.at(1), row.at(2), row.flag(3)));
    }
    identity.read(session);
  }

  /** Runs only when the store is opened: no dump is loaded into a database in use. */
  private void noteIfMoved(Session session) throws SQLException {
    PostgresConnections.run(session.connection(), ONE_AT_A_TIME);
    if (identity.isMoved(session)) {
      identity.mark(session, restored(session, Restored.Why.MOVED));
    }
    session.connection().commit();
  }

  private static Restored restored(Session session, Restored.Why why) throws SQLException {
    var restored = new Restored(why, failover(session).lostSince());
    log.warn(restored.text());
    return restored;
  }

  /** Returns null if the server does not say. */
  private static @Nullable Server present(Session session) throws SQLException {
    Server present;
    try (var read = session.prepare(PRESENT)) {
      present = read.first(row -> new Server(row.text(1), row.number(2)));
    } catch (SQLException e) {
      if (PostgresErrors.isLost(e)) {
        throw e;
      }
      session.connection().rollback();
      log.warn(
          "the server does not report its identity, so Hapax does not notice a failover that lost data: {}",
          e.getMessage());
      return null;
    }
    if (present == null) {
      throw new SQLException("the server is a standby", READ_ONLY);
    }
    return present;
  }

  private void noteIfNew(Session session, String name) throws SQLException {
    if (name.equals(lastName(session))) {
      return;
    }
    PostgresConnections.run(session.connection(), ONE_AT_A_TIME);
    String last = lastName(session);
    if (name.equals(last)) {
      return; // another node was faster
    }
    boolean isFirst = last == null && known == null;
    // A standby has its primary's identifier; another identifier means a dump or a copy.
    boolean isElsewhere = last != null && known == null && !system(last).equals(system(name));
    Failover failover = failover(session);
    boolean isFailover = !isFirst && !isElsewhere;
    try (var note = session.prepare(NOTE)) {
      note.with(name)
          .with(failover.notedAt())
          .with(isFailover ? failover.lostSince() : null)
          .update();
    }
    if (isElsewhere) {
      identity.mark(session, restored(session, Restored.Why.MOVED));
    }
    session.connection().commit();
    if (isFailover) {
      log.warn(
          "the database is on another server than before ({}, then {}). Data written after {} may be lost: effects that earlier runs send for the first time are in doubt",
          last == null ? known : last,
          name,
          failover.lostSince());
    }
  }

  /**
   * The server is the one from before, and has lost what was durable: it was put back from a copy
   * of its disk, or from one of a standby that was not promoted.
   */
  private void noteSetBack(Session session, Server present) throws SQLException {
    PostgresConnections.run(session.connection(), ONE_AT_A_TIME);
    Last last = last(session);
    if (last != null && last.number() > noted) {
      return; // another node was faster
    }
    Failover failover = failover(session);
    try (var note = session.prepare(NOTE)) {
      // Two rows: the same name twice in a row would say that a person has restored the store.
      String before = "%s@%d".formatted(present.name(), position);
      note.with(before).with(failover.notedAt()).with((Instant) null).update();
      note.with(present.name()).with(failover.notedAt()).with(failover.lostSince()).update();
    }
    session.connection().commit();
    log.warn(
        "the database server was set back by {} bytes of its log. Data written after {} may be lost: effects that earlier runs send for the first time are in doubt",
        position - present.position(),
        failover.lostSince());
  }

  private static String system(String name) {
    int end = name.indexOf('/');
    return end < 0 ? name : name.substring(0, end);
  }

  private static @Nullable String lastName(Session session) throws SQLException {
    Last last = last(session);
    return last == null ? null : last.name();
  }

  private static @Nullable Last last(Session session) throws SQLException {
    try (var read = session.prepare(LAST)) {
      return read.first(row -> new Last(row.text(1), row.number(2)));
    }
  }

  private static Failover failover(Session session) throws SQLException {
    try (var number = session.prepare(PostgresWriter.NEWEST_NUMBER);
        var times = session.prepare(NEWEST_TIMES)) {
      Long newest = number.first(row -> row.number(1));
      Instant made = newest == null ? Instant.EPOCH : IdSource.timeOf(newest);
      Failover told = times.first(row -> new Failover(row.at(1), row.at(2)));
      if (told == null) {
        throw new SQLException("a query without conditions answers with a row");
      }
      Instant since = later(told.lostSince(), made);
      return new Failover(since, later(told.notedAt(), since));
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
