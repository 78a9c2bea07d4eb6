package dev.hapax.store.sqlite;

import dev.hapax.run.EffectKey;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Hold;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.JournalRow;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.KvEntry;
import dev.hapax.run.ResourceRecord;
import dev.hapax.run.ResourceRef;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.Subject;
import dev.hapax.store.Batch;
import dev.hapax.store.Due;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.InboxFilter;
import dev.hapax.store.KvFilter;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreRefused;
import dev.hapax.store.StoredRun;
import dev.hapax.store.WaitReads;
import dev.hapax.time.Threads;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store in one SQLite file. */
final class SqliteStore implements Store {
  /**
   * How many runs' keys gather in memory before they are moved into the index; a run has a few
   * effects.
   */
  private static final int GENERATION = 32_768;

  private static final int EFFECTS_PER_RUN = 3;
  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final SqliteFile file;
  private final Threads threads;
  private final RecentKeys recentRuns;
  private final RecentKeys recentEffects;
  private final SqliteWriter writer;
  private final SqliteReaders readers;
  private final Object writing = new Object();
  private volatile @Nullable StoreBroken broken;
  private boolean closed;
  private final WaitReads waits =
      new WaitReader(
          new WaitReader.Connections() {
            @Override
            public <T extends @Nullable Object> T lend(WaitReader.Query<T> query) {
              return SqliteStore.this.lend(query);
            }
          });

  SqliteStore(Path path, Threads threads) {
    this(path, threads, GENERATION);
  }

  /**
   * With another size of a generation of keys: a small one takes tests through what else comes
   * after many runs.
   */
  SqliteStore(Path path, Threads threads, int generation) {
    this.threads = threads;
    this.recentRuns = new RecentKeys(generation);
    this.recentEffects = new RecentKeys(EFFECTS_PER_RUN * generation);
    this.file = SqliteFile.open(path);
    try {
      var checkpoints = new Checkpoints(file.path(), threads);
      this.writer = new SqliteWriter(file.path(), checkpoints, recentRuns, recentEffects);
      this.readers = new SqliteReaders(file.path(), threads);
    } catch (SQLException e) {
      file.close();
      throw new StoreRefused("%s cannot be opened: %s".formatted(file.path(), e.getMessage()), e);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    return write(() -> writer.commit(batch));
  }

  @Override
  public List<Long> adoptOrphans(long owner) {
    return write(() -> writer.adopt(owner));
  }

  /**
   * A young run is looked for before the reader's snapshot is taken: it may move into the index at
   * any moment.
   */
  @Override
  public @Nullable Run find(RunId id) {
    Key key = Key.of(id);
    Long young = recentRuns.number(key);
    return young != null ? run(young) : read(reader -> reader.indexedRun(key));
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    Key key = Key.of(id);
    Long young = recentRuns.number(key);
    return young != null
        ? read(reader -> reader.holder(young))
        : read(reader -> reader.indexedHolder(key));
  }

  @Override
  public RetentionReads retention() {
    return new SqliteRetention(this::read);
  }

  @Override
  public @Nullable Run run(long number) {
    return read(reader -> reader.run(number));
  }

  @Override
  public @Nullable StoredRun load(long number) {
    return read(reader -> reader.load(number));
  }

  @Override
  public List<JournalRow> journal(long run) {
    return read(reader -> reader.journal(run));
  }

  @Override
  public List<JournalRow> lanes(long run, List<String> lanes) {
    return read(reader -> reader.lanes(run, lanes));
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return read(reader -> reader.effect(number));
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    Key hash = Key.of(key);
    Long young = recentEffects.number(hash);
    return young != null ? effect(young) : read(reader -> reader.indexedEffect(hash));
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return read(reader -> reader.runs(filter));
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return read(reader -> reader.effects(filter));
  }

  @Override
  public WaitReads waits() {
    return waits;
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return write(() -> writer.secret(fresh));
  }

  private <T extends @Nullable Object> T lend(WaitReader.Query<T> query) {
    return read(reader -> query.on(reader.connection()));
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return read(reader -> reader.holds(tenant, subject));
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return read(reader -> reader.due(after, until, limit));
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    List<Due> first = due(after, LATEST, 1);
    return first.isEmpty() ? null : first.getFirst().at();
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return read(reader -> reader.events(filter));
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return read(reader -> reader.schedules(tenant));
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return read(reader -> reader.kv(tenant, key));
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return read(reader -> reader.kv(filter));
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return read(reader -> reader.resource(tenant, ref));
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return read(reader -> reader.content(resource));
  }

  @Override
  public Instant newestAt() {
    return writer.newest();
  }

  @Override
  public void backup(Path target) {
    refuseBroken();
    SqliteBackup.of(file.path(), target, threads);
  }

  @Override
  public void close() {
    synchronized (writing) {
      if (closed) {
        return;
      }
      closed = true;
      readers.close();
      try (file) {
        writer.close(broken == null);
      }
    }
  }

  private <T> T write(Supplier<T> change) {
    synchronized (writing) {
      refuseBroken();
      if (closed) {
        throw new IllegalStateException("the store is closed");
      }
      return watched(change);
    }
  }

  private <T extends @Nullable Object> T read(SqliteReaders.Query<T> query) {
    refuseBroken();
    return watched(() -> readers.ask(query));
  }

  /** Once broken, always broken: what a later call saw could contradict what is on disk. */
  private <T extends @Nullable Object> T watched(Supplier<T> call) {
    try {
      return call.get();
    } catch (StoreBroken e) {
      broken = e;
      throw e;
    }
  }

  private void refuseBroken() {
    StoreBroken first = broken;
    if (first != null) {
      throw new StoreBroken(String.valueOf(first.getMessage()), first);
    }
  }
}
