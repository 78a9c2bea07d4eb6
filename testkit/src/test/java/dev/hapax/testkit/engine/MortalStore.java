package dev.hapax.testkit.engine;

import dev.hapax.run.EffectKey;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.store.Batch;
import dev.hapax.store.Due;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreFull;
import dev.hapax.store.StoredRun;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One process's view of a store: when the process dies, nothing of it reaches the store any more.
 */
final class MortalStore implements Store {
  private final Store store;
  private boolean dead;
  private @Nullable RuntimeException trouble;
  private boolean landsFirst;

  MortalStore(Store store) {
    this.store = store;
  }

  synchronized void die() {
    dead = true;
  }

  private synchronized Store alive() {
    if (dead) {
      throw new StoreBroken("this process is dead", null);
    }
    return store;
  }

  /** The next commit fails in this way, after it has landed or instead of landing. */
  synchronized void failNextCommit(RuntimeException how, boolean afterLanding) {
    trouble = how;
    landsFirst = afterLanding;
  }

  synchronized void recover() {
    trouble = null;
  }

  /** Under the lock, so that a death comes before or after a commit, never within. */
  @Override
  public synchronized List<GroupAnswer> commit(Batch batch) {
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
  public @Nullable Run run(long number) {
    return alive().run(number);
  }

  @Override
  public @Nullable StoredRun load(long number) {
    return alive().load(number);
  }

  @Override
  public List<JournalRow> journal(long run) {
    return alive().journal(run);
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
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return alive().due(after, until, limit);
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    return alive().nextDue(after);
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
