package dev.hapax.store;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Hold;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreHandle;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flow.Subject;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.Generation;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The port to a database. One thread commits (the {@link Committer}); reads may come from any
 * number of threads, block, and see everything that was acknowledged before them.
 *
 * <p>A read answers, or throws {@link StoreUnavailable} if the store could not answer now, {@link
 * StoreBroken} if it can no longer be trusted, {@link StoreClosed} if it was closed. Any other
 * exception is about the question itself, and would occur again.
 */
public interface Store extends StoreHandle {

  /**
   * Makes the groups durable in one transaction and answers each, in their order. A group whose
   * head does not hold writes nothing; the others land. A batch can be submitted again unchanged:
   * groups that have landed answer as they did the first time.
   *
   * @throws UnknownCommit if the commit may or may not have happened: submit the same batch again
   * @throws StoreFull if there is no space: nothing was lost, submit the same batch again later
   * @throws StoreBroken if this store cannot be trusted any more
   */
  List<GroupAnswer> commit(Batch batch);

  /**
   * Writes the group in an open transaction of the caller, who commits it or rolls it back. The
   * group inserts a run without an owner, so it needs no lease.
   *
   * @throws IllegalArgumentException if the connection does not lead to this store's own database,
   *     or has no transaction open
   */
  default Provisional write(Group group, Connection connection) {
    throw new UnsupportedOperationException(
        "a run can be started in your own transaction only if Hapax uses the same PostgreSQL"
            + " database: open it with Hapax.open(dataSource)");
  }

  /**
   * Reports that this node is alive, and returns what others have done. If several nodes can use
   * the store, this renews the node's lease, ends expired leases, and gives the node a bounded
   * number of runs whose owner has no lease. Never runs in parallel with a commit. A node whose own
   * lease has ended learns it here or at its next commit, whichever comes first; it writes nothing
   * more.
   *
   * @throws UnknownCommit if it may or may not have happened: ask for a list of all own runs
   * @throws StoreBroken if the lease has ended
   */
  HeartbeatReply heartbeat(NodeReport report);

  /**
   * From 0 to {@link dev.hapax.time.IdSource#MOST_MARKS} (exclusive): no other node that can write
   * has it, so that no two of them make the same number.
   */
  default int mark() {
    return 0;
  }

  /** The nodes that may write, by mark; empty if one process at a time uses the store. */
  default List<NodeLease> nodes() {
    return List.of();
  }

  /**
   * The failovers of the database in which acknowledged writes may be lost, the oldest first. A
   * call after a commit returns all failovers before that commit.
   */
  default List<Failover> failovers() {
    return List.of();
  }

  /**
   * A random number that the store keeps for good, wherever its file or database is. A copy of it
   * has the same one until a person says that it is a copy.
   */
  long id();

  /**
   * Whether the store was restored or copied, and a person must still say what it is; null if not.
   * Until then no run is adopted.
   */
  default @Nullable Restored restored() {
    return null;
  }

  /**
   * Records what a person says the store is, also if the store has not noticed that it was
   * restored. From then on {@link #failovers} has the time since it was taken, and {@link
   * #restored} is null.
   *
   * @param freshId becomes the id of a copy
   */
  default void restore(Restoration as, long freshId, Instant at) {
    throw new UnsupportedOperationException("this store cannot be restored");
  }

  /** When a person said that this store is a copy of another; null if it is none. */
  default @Nullable Instant copiedAt() {
    return null;
  }

  @Nullable Run find(RunId id);

  /** The run with this id, or its tombstone; null if the id is free. */
  @Nullable KeyHolder holder(RunId id);

  /**
   * The newest run that came after this one under its key; null if none did. One read, however many
   * came.
   *
   * @param first the number of the first run that had the key
   */
  @Nullable Generation newest(long first);

  /** Reads what is kept, until when, and what can be deleted. */
  RetentionReads retention();

  @Nullable Run run(long number);

  /** Those of these runs that exist, in any order. */
  default List<Run> runs(List<Long> numbers) {
    List<Run> found = new ArrayList<>();
    for (long number : numbers) {
      Run run = run(number);
      if (run != null) {
        found.add(run);
      }
    }
    return found;
  }

  /** The run and its journal as of one moment, without the rows of items. */
  default @Nullable StoredRun load(long number) {
    return load(number, 0);
  }

  /**
   * The same for a reader that knows the beginning of the journal.
   *
   * @param from only the rows with this seq and later ones are read
   */
  @Nullable StoredRun load(long number, long from);

  /** The whole journal, including those of items; of a long one, use {@link JournalPages}. */
  default List<JournalRow> journal(long run) {
    return journal(run, 0, Integer.MAX_VALUE);
  }

  /**
   * A part of the journal, including those of items, in its order.
   *
   * @param after only the rows with a greater seq are read
   * @param limit how many rows are read at most
   */
  List<JournalRow> journal(long run, long after, int limit);

  /** The whole journals of these runs, including those of items; each in its order. */
  default List<JournalRow> journals(List<Long> runs) {
    List<JournalRow> found = new ArrayList<>();
    for (long run : runs) {
      found.addAll(journal(run));
    }
    return found;
  }

  /** The rows of these items in the run's journal, in its order. */
  List<JournalRow> itemRows(long run, List<String> items);

  @Nullable EffectRecord effect(long number);

  @Nullable EffectRecord effect(EffectKey key);

  /** Those of these effects that exist, in any order. */
  default List<EffectRecord> effects(List<Long> numbers) {
    List<EffectRecord> found = new ArrayList<>();
    for (long number : numbers) {
      EffectRecord effect = effect(number);
      if (effect != null) {
        found.add(effect);
      }
    }
    return found;
  }

  /** The effects of those of these keys that have one, in any order. */
  default List<EffectRecord> effectsOf(List<EffectKey> keys) {
    List<EffectRecord> found = new ArrayList<>();
    for (EffectKey key : keys) {
      EffectRecord effect = effect(key);
      if (effect != null) {
        found.add(effect);
      }
    }
    return found;
  }

  /** The tombstone of an effect whose row has expired; null if there is none. */
  @Nullable EffectTombstone expiredEffect(EffectKey key);

  /** Those of these keys whose effect has expired, in any order. */
  default List<EffectKey> expiredOf(List<EffectKey> keys) {
    return keys.stream().filter(key -> expiredEffect(key) != null).toList();
  }

  /**
   * How the ledger would answer this claim now, by what is left of an expired effect; null if
   * nothing is left. Nothing is claimed.
   */
  @Nullable ClaimAnswer expiredAnswer(EffectClaim claim);

  /** Newest first. */
  List<Run> runs(RunFilter filter);

  /** Newest first. */
  List<EffectRecord> effects(EffectFilter filter);

  /**
   * Whether a row with a smaller number is not in the search index: then {@link Change.IndexSearch}
   * has something to do.
   */
  boolean isSearchBehind(long before);

  /**
   * The notes about the last stopped duplicates of a run, see {@link dev.hapax.run.StoppedNotes};
   * null if there are none.
   */
  @Nullable String stoppedNotes(long run);

  WaitReads waits();

  JobReads jobs();

  ErasureReads erasures();

  /**
   * Overwrites the space that deleted and replaced values had, as far as the database can do that.
   * Its backups and archives keep theirs.
   *
   * @return false if a reader or a backup was in the way: call it again later
   */
  default boolean scrub() {
    return true;
  }

  /**
   * The store's own secret key, which never leaves the process.
   *
   * @param fresh becomes the key if there is none yet
   */
  byte[] secretKey(byte[] fresh);

  /** The store's own secret key; null if none was made, or it was erased. */
  byte @Nullable [] secretKey();

  /**
   * Erases the store's own secret key, if it is this one. When this returns, the bytes are no
   * longer in the files of the database, as far as the database can do that; its backups and
   * archives keep theirs.
   */
  void eraseSecretKey(byte[] known);

  /**
   * The holders of and waiters for slots and locks of this tenant, in order of arrival; of each at
   * most 1,000.
   *
   * @param subject only of this line; null for all
   */
  List<Hold> holds(String tenant, @Nullable Subject subject);

  /**
   * Runs without an owner that are due, in the order of their due times and numbers.
   *
   * @param after only those that come after it in that order; null for all
   */
  List<Due> due(@Nullable Due after, Instant until, int limit);

  /** When the first run without an owner that comes after this one becomes due. */
  @Nullable Instant nextDue(@Nullable Due after);

  /** Newest first. */
  List<InboxEvent> events(InboxFilter filter);

  /** Events of any source whose id is this, or begins with it: by source, then by id. */
  List<InboxEvent> events(String tenant, TextMatch event, int limit);

  /** All schedules of a tenant, by name. */
  List<ScheduleRecord> schedules(String tenant);

  /** The entry of the durable map, also if it has expired. */
  @Nullable KvEntry kv(String tenant, String key);

  /** The entries that have not expired, by key in the order of code points. */
  List<KvEntry> kv(KvFilter filter);

  /** The large value of this tenant, if it is stored completely. */
  @Nullable ResourceRecord resource(String tenant, ResourceRef ref);

  /** Its bytes; null if it is not stored completely. */
  byte @Nullable [] content(long resource);

  TenantReads tenants();

  /**
   * The newest time that the store knows: not before {@link dev.hapax.time.IdSource#timeOf} any
   * number in it, so that no number is made twice; for everything else within ten seconds.
   */
  Instant newestAt();

  /**
   * Writes a consistent copy of the live store to a new file, which is marked as a copy.
   *
   * @param at not after the moment of the copy
   */
  void backup(Path target, Instant at);

  @Override
  void close();
}
