package dev.hapax.testkit.engine;

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
import dev.hapax.store.EffectUse;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.InboxFilter;
import dev.hapax.store.KvFilter;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreFull;
import dev.hapax.store.StoredRun;
import dev.hapax.store.WaitReads;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process's view of a store: when the process dies, nothing of it reaches the store any more. A
 * test may fail what the process asks of the store, or hold it at that point. Safe for many
 * threads.
 */
final class MortalStore implements Store {
  private final Store store;
  private final AtomicReference<Runnable> afterNextDue =
      new AtomicReference<>(MortalStore::nothing);
  private final AtomicReference<Runnable> beforeNextLoad =
      new AtomicReference<>(MortalStore::nothing);
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Consumer<Batch> beforeCommit = _ -> {};
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

  synchronized boolean isDead() {
    return dead;
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

  /** What a commit does, whatever the test makes of its answer. */
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
  public List<Long> adoptOrphans(long owner) {
    return alive().adoptOrphans(owner);
  }

  @Override
  public @Nullable Run find(RunId id) {
    return alive().find(id);
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    return alive().holder(id);
  }

  @Override
  public RetentionReads retention() {
    return new RetentionReads() {
      @Override
      public Expiring expiring(Instant now, int limit) {
        return alive().retention().expiring(now, limit);
      }

      @Override
      public @Nullable Instant next() {
        return alive().retention().next();
      }

      @Override
      public Duration keep(String flow) {
        return alive().retention().keep(flow);
      }

      @Override
      public @Nullable Instant runKeptUntil(long run) {
        return alive().retention().runKeptUntil(run);
      }

      @Override
      public List<Long> openEffects(long run) {
        return alive().retention().openEffects(run);
      }

      @Override
      public @Nullable Instant effectKeptUntil(long effect) {
        return alive().retention().effectKeptUntil(effect);
      }

      @Override
      public List<Long> referring(long effect, int limit) {
        return alive().retention().referring(effect, limit);
      }

      @Override
      public List<EffectUse> uses(String effect) {
        return alive().retention().uses(effect);
      }

      @Override
      public List<JournalRow> journals(List<Long> runs) {
        return alive().retention().journals(runs);
      }

      @Override
      public @Nullable Instant firstEvent() {
        return alive().retention().firstEvent();
      }

      @Override
      public Counts counts() {
        return alive().retention().counts();
      }
    };
  }

  @Override
  public @Nullable Run run(long number) {
    return alive().run(number);
  }

  @Override
  public @Nullable StoredRun load(long number) {
    beforeNextLoad.getAndSet(MortalStore::nothing).run();
    return alive().load(number);
  }

  @Override
  public List<JournalRow> journal(long run) {
    return alive().journal(run);
  }

  @Override
  public List<JournalRow> lanes(long run, List<String> lanes) {
    return alive().lanes(run, lanes);
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return alive().effect(number);
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    return alive().effect(key);
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return alive().runs(filter);
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return alive().effects(filter);
  }

  @Override
  public WaitReads waits() {
    return alive().waits();
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return alive().secretKey(fresh);
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return alive().holds(tenant, subject);
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    List<Due> found = alive().due(after, until, limit);
    afterNextDue.getAndSet(MortalStore::nothing).run();
    return found;
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    return alive().nextDue(after);
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return alive().events(filter);
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return alive().schedules(tenant);
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return alive().kv(tenant, key);
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return alive().kv(filter);
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return alive().resource(tenant, ref);
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return alive().content(resource);
  }

  @Override
  public Instant newestAt() {
    return alive().newestAt();
  }

  @Override
  public void backup(Path target) {
    alive().backup(target);
  }

  @Override
  public void close() {}
}
