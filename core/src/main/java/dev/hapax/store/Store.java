package dev.hapax.store;

import dev.hapax.run.EffectKey;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Generation;
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
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one door to a database. One thread commits (the {@link Committer}); reads may come from any
 * number of threads, block, and see everything that was acknowledged before they were asked.
 *
 * <p>A read answers, or throws {@link StoreUnavailable} if the store could not answer now, {@link
 * StoreBroken} if it cannot be trusted any more, {@link StoreClosed} if it was closed; anything
 * else that it throws is about the question itself, and would come again.
 */
public interface Store extends AutoCloseable {

  /**
   * Makes the groups durable in one transaction and answers each, in their order. A group whose
   * head does not hold writes nothing; the others land. A batch can be submitted again unchanged:
   * what has landed answers as it did the first time.
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
        "a run can be started in your own transaction only where Hapax lives in the same PostgreSQL"
            + " database: open it with Hapax.open(dataSource)");
  }

  /**
   * Says that this node is there, and asks what others have brought about. Where several nodes can
   * use the store its lease is renewed, leases that have run out end, and a bounded number of runs
   * whose owner has none becomes its own. Never beside a commit, and a node whose own lease has
   * ended hears so here or at its next commit, whichever comes first; it writes nothing more.
   *
   * @throws UnknownCommit if it may or may not have happened: ask to be told of all own runs
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

  /**
   * The failovers of the database in which something that was acknowledged may be lost, the oldest
   * first. Whoever asks after a commit hears of all that came before it.
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
   * Whether the store was restored or copied, and a person has yet to say what it is; null if it is
   * what it was. Until then no run is adopted.
   */
  default @Nullable Restored restored() {
    return null;
  }

  /**
   * A person says what the store is, also if it has not noticed itself that it was restored. From
   * then on {@link #failovers} has the time since it was taken, and {@link #restored} is null.
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

  /** The run with this id, or what is left of it; null if the id is free. */
  @Nullable KeyHolder holder(RunId id);

  /**
   * The newest run that came after this one under its key; null if none did. One read, however many
   * came.
   *
   * @param first the number of the first run that had the key
   */
  @Nullable Generation newest(long first);

  /** What is kept, until when, and what can go. */
  RetentionReads retention();

  @Nullable Run run(long number);

  /** Those of these runs that are there, in any order. */
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

  /** The run and its journal as of one moment, without what lies in lanes. */
  default @Nullable StoredRun load(long number) {
    return load(number, 0);
  }

  /**
   * The same for a reader that knows the beginning of the journal.
   *
   * @param from only the rows with this seq and later ones are read
   */
  @Nullable StoredRun load(long number, long from);

  /** The whole journal, lanes and all. */
  List<JournalRow> journal(long run);

  /** What lies in these lanes of the run's journal, in its order. */
  List<JournalRow> lanes(long run, List<String> lanes);

  @Nullable EffectRecord effect(long number);

  @Nullable EffectRecord effect(EffectKey key);

  /** Newest first. */
  List<Run> runs(RunFilter filter);

  /** Newest first. */
  List<EffectRecord> effects(EffectFilter filter);

  WaitReads waits();

  /**
   * The store's own secret key, which never leaves the process.
   *
   * @param fresh becomes the key if there is none yet
   */
  byte[] secretKey(byte[] fresh);

  /**
   * Who holds and who waits for slots and locks of this tenant, in order of arrival; of each at
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

  /** All schedules of a tenant, by name. */
  List<ScheduleRecord> schedules(String tenant);

  /** The entry of the durable map, also if it has expired. */
  @Nullable KvEntry kv(String tenant, String key);

  /** The entries that have not expired, by key in the order of code points. */
  List<KvEntry> kv(KvFilter filter);

  /** The large value of this tenant, if it is here as a whole. */
  @Nullable ResourceRecord resource(String tenant, ResourceRef ref);

  /** Its bytes; null if it is not here as a whole. */
  byte @Nullable [] content(long resource);

  /**
   * The newest time that the store knows of: not before {@link dev.hapax.time.IdSource#timeOf} any
   * number in it, so that no number is made twice; for all else give or take ten seconds.
   */
  Instant newestAt();

  /**
   * A consistent copy of the live store in a new file, which says inside that it is a copy.
   *
   * @param at not after the moment of the copy
   */
  void backup(Path target, Instant at);

  @Override
  void close();
}
