package dev.hapax.store.postgres;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreRefused;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeLease;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Provisional;
import dev.hapax.store.jdbc.JdbcStore;
import dev.hapax.store.jdbc.Key;
import dev.hapax.store.jdbc.ReadFailure;
import dev.hapax.store.jdbc.StoreReader;
import dev.hapax.store.jdbc.StoreReaders;
import dev.hapax.time.Threads;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store in a PostgreSQL database. */
final class PostgresStore extends JdbcStore {
  /** More than one, because each answer is a round trip. */
  private static final int READERS = 4;

  private final PostgresWriter writer;
  private final StoreReaders readers;
  private final Lookups lookups;

  PostgresStore(PostgresConnections.Source source, Threads threads) {
    this(source, threads, Patience.DEFAULT);
  }

  PostgresStore(PostgresConnections.Source source, Threads threads, Patience patience) {
    var connections = new PostgresConnections(source, "hapax", patience);
    PostgresDatabase.prepare(connections);
    this.lookups = new Lookups(connections, threads);
    try {
      this.readers = new StoreReaders(readersOf(connections), threads, READERS, 1);
    } catch (SQLException e) {
      throw refused(e);
    }
    try {
      this.writer = new PostgresWriter(connections);
    } catch (SQLException e) {
      readers.close();
      throw refused(e);
    }
  }

  private static StoreRefused refused(SQLException e) {
    return new StoreRefused("the database cannot be opened: " + e.getMessage(), e);
  }

  private static StoreReaders.Source readersOf(PostgresConnections connections) {
    return new StoreReaders.Source() {
      @Override
      public StoreReader open() throws SQLException {
        return PostgresReader.on(connections.reader());
      }

      @Override
      public ReadFailure meaning(SQLException e) {
        return PostgresErrors.isOfTheQuestion(e)
            ? ReadFailure.OF_THE_QUESTION
            : ReadFailure.OF_THE_MOMENT;
      }

      @Override
      public boolean isUsableAfterRefusal() {
        return true; // it answers one question at a time, and ends its transaction
      }
    };
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    return write(() -> writer.commit(batch));
  }

  /** Does not use the writer: only the caller uses the lent connection. */
  @Override
  public Provisional write(Group group, Connection connection) {
    refuseBroken();
    var written = CallersTransaction.write(group, connection, writer.lease());
    return new Provisional() {
      @Override
      public GroupAnswer answer() {
        return written.answer();
      }

      @Override
      public Outcome outcome() {
        return read(reader -> ((PostgresReader) reader).outcome(written.transaction()));
      }
    };
  }

  @Override
  public HeartbeatReply heartbeat(NodeReport report) {
    return write(() -> writer.heartbeat(report));
  }

  @Override
  public int mark() {
    return writer.mark();
  }

  @Override
  public List<NodeLease> nodes() {
    return read(reader -> ((PostgresReader) reader).nodes());
  }

  @Override
  public List<Failover> failovers() {
    return writer.failovers();
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
          if (writer.identity().restored() == null) {
            throw new IllegalStateException(
                "the store was not restored: there is nothing to confirm");
          }
          writer.restore(as, freshId, at);
          return true;
        });
  }

  @Override
  public List<Run> runs(List<Long> numbers) {
    return read(reader -> reader.runs(numbers));
  }

  @Override
  public @Nullable Run find(RunId id) {
    return this.<@Nullable Run>read(reader -> reader.indexedRun(Key.of(id)));
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    refuseBroken();
    Key key = Key.of(id);
    Lookups.Found found = lookups.find(key);
    return found != null
        ? found.holder()
        : this.<@Nullable KeyHolder>read(reader -> reader.indexedHolder(key));
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    return this.<@Nullable EffectRecord>read(reader -> reader.indexedEffect(Key.of(key)));
  }

  @Override
  public List<EffectRecord> effectsOf(List<EffectKey> keys) {
    return read(reader -> reader.indexedEffects(keys.stream().map(Key::of).distinct().toList()));
  }

  @Override
  public @Nullable EffectTombstone expiredEffect(EffectKey key) {
    return this.<@Nullable EffectTombstone>read(reader -> reader.indexedTombstone(Key.of(key)));
  }

  @Override
  public List<EffectKey> expiredOf(List<EffectKey> keys) {
    Set<Key> expired =
        read(reader -> reader.indexedTombstones(keys.stream().map(Key::of).toList()));
    return keys.stream().filter(key -> expired.contains(Key.of(key))).toList();
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
    write(() -> writer.eraseSecret(known));
  }

  @Override
  public Instant newestAt() {
    return writer.newest();
  }

  @Override
  public void backup(Path target, Instant at) {
    throw new UnsupportedOperationException(
        "back up a store in PostgreSQL with the tools of the server: pg_dump, pg_basebackup");
  }

  @Override
  protected void release(boolean isBroken) {
    lookups.close();
    readers.close();
    writer.close(!isBroken);
  }

  @Override
  protected <T extends @Nullable Object> T read(StoreReaders.Query<T> query) {
    refuseBroken();
    return watched(() -> readers.ask(query));
  }
}
