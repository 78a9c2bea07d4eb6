package dev.hapax.store.sqlite;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreRefused;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.jdbc.JdbcStore;
import dev.hapax.store.jdbc.Key;
import dev.hapax.store.jdbc.ReadFailure;
import dev.hapax.store.jdbc.StoreReader;
import dev.hapax.store.jdbc.StoreReaders;
import dev.hapax.time.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store in one SQLite file. */
final class SqliteStore extends JdbcStore {
  /**
   * How many runs' keys gather in memory before they are moved into the index; a run has a few
   * effects.
   */
  private static final int GENERATION = 32_768;

  private static final int EFFECTS_PER_RUN = 3;

  /** So that a long listing does not keep a start waiting for its lookup. */
  private static final int READERS = 2;

  /** A long transaction keeps the WAL from starting over. */
  private static final int MOST_AT_ONCE = 128;

  private final SqliteFile file;
  private final Threads threads;
  private final RecentKeys recentRuns;
  private final RecentKeys recentEffects;
  private final SqliteWriter writer;
  private final StoreReaders readers;

  SqliteStore(Path path, Threads threads) {
    this(path, threads, GENERATION);
  }

  /**
   * Sets the size of a generation of keys: with a small one, tests reach what otherwise needs many
   * runs.
   */
  SqliteStore(Path path, Threads threads, int generation) {
    this.threads = threads;
    this.recentRuns = new RecentKeys(generation);
    this.recentEffects = new RecentKeys(EFFECTS_PER_RUN * generation);
    this.file = SqliteFile.open(path);
    try {
      var checkpoints = new Checkpoints(file.path(), threads);
      this.writer = new SqliteWriter(file.path(), checkpoints, recentRuns, recentEffects);
      this.readers =
          new StoreReaders(readersOf(file.path(), writer.watch()), threads, READERS, MOST_AT_ONCE);
    } catch (SQLException | IOException e) {
      file.close();
      throw new StoreRefused("%s cannot be opened: %s".formatted(file.path(), e.getMessage()), e);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static StoreReaders.Source readersOf(Path path, FileWatch watch) {
    return new StoreReaders.Source() {
      @Override
      public StoreReader open() throws SQLException {
        return SqliteReader.open(path);
      }

      @Override
      public ReadFailure meaning(SQLException e) {
        return SqliteErrors.ofRead(e);
      }

      @Override
      public boolean isUsableAfterRefusal() {
        return false; // the driver has closed the statement
      }

      @Override
      public void confirm() {
        String problem = watch.problem();
        if (problem != null) {
          throw new StoreBroken(problem + ". Put it back, then open it again.", null);
        }
      }
    };
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    return write(() -> writer.commit(batch));
  }

  @Override
  public HeartbeatReply heartbeat(NodeReport report) {
    return HeartbeatReply.alone(restored() != null ? List.of() : write(() -> writer.adopt(report)));
  }

  @Override
  public long id() {
    return writer.identity().id();
  }

  @Override
  public @Nullable Restored restored() {
    return writer.identity().restored();
  }

  @Override
  public @Nullable Instant copiedAt() {
    return writer.identity().copiedAt();
  }

  @Override
  public void restore(Restoration as, long freshId, Instant at) {
    write(
        () -> {
          writer.restore(as, freshId, at);
          return true;
        });
  }

  @Override
  public List<Failover> failovers() {
    return writer.identity().failovers();
  }

  /**
   * Looks for a young run before the reader takes its snapshot: the run may move into the index at
   * any moment.
   */
  @Override
  public @Nullable Run find(RunId id) {
    Key key = Key.of(id);
    Long young = recentRuns.number(key);
    return young != null ? run(young) : this.<@Nullable Run>read(reader -> reader.indexedRun(key));
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    Key key = Key.of(id);
    Long young = recentRuns.number(key);
    return this.<@Nullable KeyHolder>readConfirmed(
        reader -> young != null ? reader.holder(young) : reader.indexedHolder(key));
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    Key hash = Key.of(key);
    Long young = recentEffects.number(hash);
    return young != null
        ? effect(young)
        : this.<@Nullable EffectRecord>read(reader -> reader.indexedEffect(hash));
  }

  @Override
  public @Nullable EffectTombstone expiredEffect(EffectKey key) {
    Key hash = Key.of(key);
    Long young = recentEffects.number(hash);
    return this.<@Nullable EffectTombstone>read(
        reader -> young != null ? reader.tombstone(young) : reader.indexedTombstone(hash));
  }

  @Override
  public @Nullable ClaimAnswer expiredAnswer(EffectClaim claim) {
    EffectTombstone tombstone = expiredEffect(claim.key());
    return tombstone == null ? null : read(reader -> reader.answer(tombstone, claim));
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return write(() -> writer.secret(fresh));
  }

  @Override
  public void eraseSecretKey(byte[] known) {
    write(
        () -> {
          writer.eraseSecret(known);
          return true;
        });
  }

  @Override
  public boolean scrub() {
    return write(writer::scrub);
  }

  @Override
  public Instant newestAt() {
    return writer.newest();
  }

  @Override
  public void backup(Path target, Instant at) {
    raiseEpoch();
    SqliteBackup.of(file.path(), target, at, threads);
    raiseEpoch(); // so that the copy is behind it
  }

  private void raiseEpoch() {
    write(
        () -> {
          writer.raise();
          return true;
        });
  }

  @Override
  protected void release(boolean isBroken) {
    readers.close();
    try (file) {
      writer.close(!isBroken);
    }
  }

  @Override
  protected <T extends @Nullable Object> T read(StoreReaders.Query<T> query) {
    refuseBroken();
    return watched(() -> readers.ask(query));
  }

  private <T extends @Nullable Object> T readConfirmed(StoreReaders.Query<T> query) {
    refuseBroken();
    return watched(() -> readers.askForConfirmed(query));
  }
}
