package dev.hapax.store.sqlite;

import dev.hapax.flow.Restoration;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreFull;
import dev.hapax.run.ErasureRecord;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.NodeReport;
import dev.hapax.store.UnknownCommit;
import dev.hapax.store.jdbc.ChangeDoesNotHold;
import dev.hapax.store.jdbc.NewestTime;
import dev.hapax.store.jdbc.Refusals;
import dev.hapax.time.IdSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes batches durable, one transaction each. Used by one thread at a time. An error has one of
 * three outcomes: the batch lands without the group that caused it, nothing has landed and the
 * batch can be submitted again, or the store is broken and no longer usable.
 */
final class SqliteWriter {
  private static final Logger log = LoggerFactory.getLogger(SqliteWriter.class);

  /**
   * Each try waits the busy_timeout of five seconds: another program should not write to our file
   * for longer.
   */
  private static final int TRIES_WHEN_BUSY = 6;

  /** Over the rows that have a number: none may be made twice, even after a clock was set back. */
  private static final String NEWEST_NUMBER =
      """
      SELECT max(coalesce((SELECT max(number) FROM run), 0), coalesce((SELECT max(number) FROM effect), 0),
        coalesce((SELECT max(number) FROM wait), 0), coalesce((SELECT max(number) FROM expired_run), 0),
        coalesce((SELECT max(number) FROM expired_effect), 0),
        coalesce((SELECT max(number) FROM kv), 0), coalesce((SELECT max(op) FROM answered), 0),
        coalesce((SELECT max(number) FROM resource), 0))
      """;

  /** In commits: often enough for a WAL that grows by a few hundred pages a commit. */
  private static final int LOOK_AT_WAL_EVERY = 8;

  /** So that others wait for a short time only: a few megabytes. */
  private static final long SCRUBBED_AT_ONCE = 500;

  private final Path file;
  private final Checkpoints checkpoints;
  private final RecentKeys recentRuns;
  private final RecentKeys recentEffects;
  private SqliteTables tables;
  private long commits;
  private boolean overwrites;
  private final NewestTime newest;
  private final FileWatch watch;
  private final SqliteIdentity identity;
  private final ErasureFile erasures;

  SqliteWriter(Path file, Checkpoints checkpoints, RecentKeys recentRuns, RecentKeys recentEffects)
      throws SQLException, IOException {
    this.file = file;
    this.checkpoints = checkpoints;
    this.recentRuns = recentRuns;
    this.recentEffects = recentEffects;
    this.watch = new FileWatch(file);
    this.tables = connect();
    this.newest =
        new NewestTime(
            Instant.ofEpochMilli(number("SELECT value FROM meta WHERE name = 'newest_at'")),
            IdSource.timeOf(number(NEWEST_NUMBER)));
    this.identity = SqliteIdentity.take(file, tables.connection(), newest.newest());
    this.erasures = new ErasureFile(file);
    rememberErasures();
    watch.begin();
  }

  /** Requests that only the file beside the database has are carried out in it, too. */
  private void rememberErasures() throws SQLException, IOException {
    List<ErasureRecord> listed = erasures.read();
    if (listed.isEmpty()) {
      return;
    }
    tables.begin();
    try {
      for (ErasureRecord erasure : listed) {
        tables.groups().note(erasure.again());
      }
    } catch (SQLException | RuntimeException e) {
      tables.rollBack();
      throw e;
    }
    tables.commit();
  }

  SqliteIdentity identity() {
    return identity;
  }

  FileWatch watch() {
    return watch;
  }

  private long number(String sql) throws SQLException {
    Long number = SqliteConnections.number(tables.connection(), sql);
    return number == null ? 0 : number;
  }

  private SqliteTables connect() throws SQLException {
    overwrites = false;
    return new SqliteTables(SqliteConnections.writer(file), recentRuns, recentEffects);
  }

  Instant newest() {
    return newest.newest();
  }

  List<GroupAnswer> commit(Batch batch) {
    @Nullable GroupAnswer[] decided = new @Nullable GroupAnswer[batch.groups().size()];
    while (true) {
      List<GroupAnswer> answers = tryCommit(batch, decided);
      if (answers != null) {
        return answers;
      }
    }
  }

  /**
   * Writes all groups in one transaction, except those that are decided already.
   *
   * @return null if it was rolled back because one more group is decided now: it leaves the batch
   *     and the rest is tried again. A savepoint around each group would save this, and cost two
   *     statements for every group that is well.
   */
  private @Nullable List<GroupAnswer> tryCommit(Batch batch, @Nullable GroupAnswer[] decided) {
    boolean erases = batch.groups().stream().anyMatch(SqliteWriter::erases);
    begin();
    secureDelete(erases);
    GroupAnswer[] answers = new GroupAnswer[decided.length];
    for (int i = 0; i < decided.length; i++) {
      GroupAnswer answer = decided[i];
      if (answer == null) {
        answer = write(batch.groups().get(i), decided, i);
      }
      if (answer == null) {
        return null;
      }
      answers[i] = answer;
    }
    Instant newestAt = newest.after(batch, Arrays.asList(answers));
    boolean isRaised = newest.isToBeWritten(newestAt);
    long raised = 0;
    try {
      tables.moveKeys();
      if (isRaised) {
        tables.setNewestAt(newestAt);
        newest.wrote(newestAt);
        raised = identity.raise(tables.connection());
      }
    } catch (SQLException e) {
      throw failed(e, "writing");
    }
    commit();
    newest.landed(newestAt);
    if (isRaised) {
      identity.landed(raised);
    }
    return Arrays.asList(answers);
  }

  private @Nullable GroupAnswer write(Group group, @Nullable GroupAnswer[] decided, int index) {
    try {
      for (Change change : group.changes()) {
        if (change instanceof Change.NoteErasure(var erasure)) {
          erasures.add(erasure);
        }
      }
      return tables.groups().write(group);
    } catch (IOException e) {
      decided[index] =
          new GroupAnswer.Refused("the list of erasures beside the database: " + e.getMessage());
      rollBack();
    } catch (ChangeDoesNotHold e) {
      decided[index] = e.answer();
      rollBack();
    } catch (SQLException e) {
      if (!SqliteErrors.isOfTheData(e)) {
        throw failed(e, "writing");
      }
      decided[index] = Refusals.refused(group, e);
      if (SqliteErrors.leavesStatementsUsable(e)) {
        rollBack();
      } else {
        reconnect();
      }
    } catch (RuntimeException e) {
      decided[index] =
          Refusals.refused(
              group, e); // an error of one group, of any kind, must not stop the other runs
      reconnect();
    }
    return null;
  }

  /** Whether bytes that the group replaces must not stay in free pages. */
  private static boolean erases(Group group) {
    return group.changes().stream()
        .anyMatch(
            change ->
                change instanceof Change.EraseRun
                    || change instanceof Change.EraseMentions
                    || change instanceof Change.EraseTenant
                    || change instanceof Change.CollectResources);
  }

  private void secureDelete(boolean isOn) {
    if (isOn != overwrites) {
      try {
        SqliteConnections.run(
            tables.connection(), "PRAGMA secure_delete = " + (isOn ? "ON" : "FAST"));
        overwrites = isOn;
      } catch (SQLException e) {
        throw failed(e, "erasing");
      }
    }
  }

  /**
   * Overwrites the pages that are free, and empties the WAL. Free pages are taken by a table of
   * zeros, some at a time, which is dropped again.
   */
  boolean scrub() {
    try {
      SqliteConnections.run(tables.connection(), "PRAGMA secure_delete = ON");
      overwrites = true;
      long free = number("PRAGMA freelist_count");
      if (free > 0) {
        begin();
        SqliteConnections.run(tables.connection(), "DROP TABLE IF EXISTS scrub");
        SqliteConnections.run(
            tables.connection(), "CREATE TABLE scrub (zeros BLOB NOT NULL) STRICT");
        commit();
        long pageSize = number("PRAGMA page_size");
        while (number("PRAGMA freelist_count") > 0) {
          long pages = Math.min(number("PRAGMA freelist_count"), SCRUBBED_AT_ONCE);
          begin();
          SqliteConnections.run(
              tables.connection(),
              "INSERT INTO scrub (zeros) VALUES (zeroblob(%d))".formatted(pages * (pageSize - 4)));
          commit();
        }
        secureDelete(false); // its pages are zeros already
        begin();
        SqliteConnections.run(tables.connection(), "DROP TABLE scrub");
        commit();
      }
      return Checkpoints.isTruncated(tables.connection());
    } catch (SQLException e) {
      throw failed(e, "scrubbing");
    }
  }

  private void begin() {
    for (int tries = 1; ; tries++) {
      try {
        tables.begin();
        refuseIfReplaced();
        return;
      } catch (SQLException e) {
        if (!SqliteErrors.isBusy(e)) {
          throw failed(e, "beginning");
        }
        log.warn(
            "{} is locked by another program that writes to it: nothing can be committed meanwhile",
            file);
        if (tries == TRIES_WHEN_BUSY) {
          throw new UnknownCommit(
              "%s is locked by another program".formatted(file), e); // nothing has landed
        }
      }
    }
  }

  /**
   * Another process may have the file by now, although the lock should keep it out: writes of this
   * process could then contradict it.
   */
  private void refuseIfReplaced() throws SQLException {
    if (!identity.isOurs(tables.epoch())) {
      tables.rollBack();
      throw new StoreBroken(
          "another process has opened %s meanwhile: this process no longer writes or sends"
              .formatted(file),
          null);
    }
  }

  private void commit() {
    try {
      tables.commit();
    } catch (SQLException e) {
      throw failed(e, "committing");
    }
    tables.committed();
    String problem = watch.problem();
    if (problem != null) {
      throw new StoreBroken(
          problem + ": later writes may be lost. Put it back, then open it again.", null);
    }
    if (++commits % LOOK_AT_WAL_EVERY == 0) {
      considerCheckpoint();
    }
  }

  /** Runs after the commit: errors here do not matter, the batch has landed. */
  private void considerCheckpoint() {
    try {
      long pages = tables.walPages();
      if (checkpoints.isTight(pages)) {
        writeBackIfPossible();
      } else {
        checkpoints.consider(pages);
      }
    } catch (SQLException e) {
      log.warn("the size of the WAL of {} could not be read", file, e);
    }
  }

  /**
   * If the disk is full, nothing has landed. After any other error the state on disk is unknown, so
   * the connection must not be used.
   */
  private RuntimeException failed(SQLException e, String doing) {
    if (!SqliteErrors.isFull(e)) {
      return new StoreBroken(
          "%s failed while %s: %s. What is durable is known only after opening it again."
              .formatted(file, doing, e.getMessage()),
          e);
    }
    reconnect();
    writeBackIfPossible();
    return new StoreFull(
        "there is no space for %s. Nothing was lost: free some space".formatted(file), e);
  }

  /** The content of the WAL is often much smaller in the file: this may free the missing space. */
  private void writeBackIfPossible() {
    try {
      Checkpoints.truncate(tables.connection());
    } catch (SQLException e) {
      log.debug("{} has no space to write its WAL back", file, e);
    }
  }

  private void rollBack() {
    try {
      tables.rollBack();
    } catch (SQLException e) {
      throw failed(e, "rolling back");
    }
  }

  /**
   * Closing rolls back. The keys in memory are read again too, so that they agree with the disk.
   */
  private void reconnect() {
    try {
      tables.close();
      tables = connect();
      watch.begin();
    } catch (SQLException e) {
      throw new StoreBroken(
          "%s could not be opened again after an error: %s".formatted(file, e.getMessage()), e);
    }
  }

  List<Long> adopt(NodeReport report) {
    begin();
    List<Long> adopted;
    try {
      adopted = tables.adopt(report);
    } catch (SQLException e) {
      throw failed(e, "adopting runs");
    }
    commit();
    return adopted;
  }

  byte[] secret(byte[] fresh) {
    begin();
    byte[] stored;
    try {
      stored = tables.groups().secret(fresh);
    } catch (SQLException e) {
      throw failed(e, "making the store's key");
    }
    commit();
    return stored;
  }

  /** Overwrites the key with zeros, in the file and, by emptying it, in the WAL. */
  void eraseSecret(byte[] known) {
    begin();
    try {
      if (!Arrays.equals(known, tables.groups().secret())) {
        rollBack();
        return;
      }
      SqliteConnections.run(
          tables.connection(), "PRAGMA secure_delete = ON"); // or it stays in the page
      SqliteConnections.run(tables.connection(), "DELETE FROM secret");
    } catch (SQLException e) {
      throw failed(e, "erasing the store's key");
    }
    commit();
    try {
      SqliteConnections.run(tables.connection(), "PRAGMA secure_delete = FAST");
      Checkpoints.truncate(tables.connection());
    } catch (SQLException e) {
      log.warn(
          "{}: the token key was erased, but its bytes stay in the WAL until the store is closed: {}",
          file,
          e.getMessage());
    }
  }

  /** Raises the epoch: an earlier copy is behind from now on. */
  void raise() {
    begin();
    long raised;
    try {
      raised = identity.raise(tables.connection());
    } catch (SQLException e) {
      throw failed(e, "raising the epoch");
    }
    commit();
    identity.landed(raised);
  }

  void restore(Restoration as, long freshId, Instant at) {
    begin();
    SqliteIdentity.Settled settled;
    try {
      settled = identity.settle(tables.connection(), as, freshId, at, newest.newest());
    } catch (SQLException e) {
      throw failed(e, "restoring");
    } catch (IOException e) {
      rollBack();
      throw new UncheckedIOException("the file beside " + file + " could not be written", e);
    } catch (RuntimeException e) {
      rollBack();
      throw e;
    }
    commit();
    identity.settled(settled);
  }

  /**
   * Leaves nothing in the WAL, so that the next opening finds a clean stop.
   *
   * @param clean false after a failure: then the next opening checks the file closely
   */
  void close(boolean clean) {
    try (SqliteTables last = tables) {
      checkpoints.close();
      if (clean) {
        Checkpoints.truncate(last.connection());
      }
    } catch (SQLException e) {
      log.warn(
          "{} could not be closed cleanly; nothing is lost, the next opening takes longer",
          file,
          e);
    }
  }
}
