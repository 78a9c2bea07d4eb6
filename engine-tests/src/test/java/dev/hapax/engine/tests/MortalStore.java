package dev.hapax.engine.tests;

import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreFull;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Batch;
import dev.hapax.store.Due;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's view of a store: when the process dies, nothing of it reaches the store any more. A
 * test may fail what the process asks of the store, or hold it at that point. Safe for many
 * threads.
 */
final class MortalStore extends ForwardingStore {
  private final Store store;
  private final AtomicReference<Runnable> afterNextDue =
      new AtomicReference<>(MortalStore::nothing);
  private final AtomicReference<Runnable> beforeNextLoad =
      new AtomicReference<>(MortalStore::nothing);
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger rowsLoaded = new AtomicInteger();
  private final AtomicInteger rowsRead = new AtomicInteger();
  private final AtomicInteger journalsRead = new AtomicInteger();
  private volatile Consumer<Batch> beforeCommit = _ -> {};
  private volatile Consumer<String> beforeRead = _ -> {};
  // Guarded by this, as is every commit.
  private boolean dead;
  private @Nullable RuntimeException trouble;
  private boolean landsFirst;

  MortalStore(Store store) {
    this.store = store;
  }

  synchronized void die() {
    dead = true;
  }

  /** The next commit fails in this way, after it has landed or instead of landing. */
  synchronized void failNextCommit(RuntimeException how, boolean afterLanding) {
    trouble = how;
    landsFirst = afterLanding;
  }

  synchronized void recover() {
    trouble = null;
  }

  /**
   * Every commit from now on does this first, on the committer's thread: what it throws the commit
   * throws, and while it waits the commit waits.
   */
  void beforeCommit(Consumer<Batch> action) {
    beforeCommit = action;
  }

  /** What a test does before each call of the store, by the name of its method. */
  void beforeRead(Consumer<String> action) {
    beforeRead = action;
  }

  @Override
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    beforeRead.accept(method);
    return super.call(method, call);
  }

  /** The next reader of what is due does this once it has read, before it knows what it read. */
  void afterNextDue(Runnable action) {
    afterNextDue.set(action);
  }

  /** The next one to load a run does this first, once. */
  void beforeNextLoad(Runnable action) {
    beforeNextLoad.set(action);
  }

  /** Whether the batch writes a journal entry with this text. */
  static boolean writes(Batch batch, String text) {
    return batch.groups().stream()
        .map(Group::entries)
        .anyMatch(entries -> entries != null && entries.contains(text));
  }

  private static void nothing() {}

  /** How often the store was asked or written to. */
  int calls() {
    return calls.get();
  }

  /** How many rows of journals were read by those who loaded a run. */
  int rowsLoaded() {
    return rowsLoaded.get();
  }

  /** How many rows of journals were read part by part. */
  int rowsRead() {
    return rowsRead.get();
  }

  /** How often a whole journal was read, with those of all items. */
  int journalsRead() {
    return journalsRead.get();
  }

  synchronized boolean isDead() {
    return dead;
  }

  @Override
  protected Store to() {
    return alive();
  }

  private synchronized Store alive() {
    calls.incrementAndGet();
    if (dead) {
      throw new StoreBroken("this process is dead", null);
    }
    return store;
  }

  /** Outside the lock, so that a test can use the store while it holds a commit. */
  @Override
  public List<GroupAnswer> commit(Batch batch) {
    beforeCommit.accept(batch);
    return commitOrFail(batch);
  }

  /** What a commit does, no matter what the test does with its answer. */
  void commitOf(Batch batch) {
    alive().commit(batch);
  }

  /** Under the lock, so that a death comes before or after a commit, never within. */
  private synchronized List<GroupAnswer> commitOrFail(Batch batch) {
    RuntimeException failure = trouble;
    if (failure == null) {
      return alive().commit(batch);
    }
    if (landsFirst) {
      alive().commit(batch);
    }
    if (!(failure instanceof StoreFull)) {
      trouble = null; // a full disk stays full
    }
    throw failure;
  }

  @Override
  public List<JournalRow> journal(long run) {
    journalsRead.incrementAndGet();
    return alive().journal(run);
  }

  @Override
  public List<JournalRow> journal(long run, long after, int limit) {
    List<JournalRow> rows = super.journal(run, after, limit);
    rowsRead.addAndGet(rows.size());
    return rows;
  }

  @Override
  public @Nullable StoredRun load(long number, long from) {
    beforeNextLoad.getAndSet(MortalStore::nothing).run();
    StoredRun loaded = alive().load(number, from);
    rowsLoaded.addAndGet(loaded == null ? 0 : loaded.journal().size());
    return loaded;
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    List<Due> found = alive().due(after, until, limit);
    afterNextDue.getAndSet(MortalStore::nothing).run();
    return found;
  }

  @Override
  public void close() {}
}
