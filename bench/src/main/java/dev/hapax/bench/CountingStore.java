package dev.hapax.bench;

import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts the calls of a store. */
final class CountingStore extends ForwardingStore {
  final LongAdder calls = new LongAdder();
  final LongAdder commits = new LongAdder();
  final LongAdder groups = new LongAdder();
  private final Store counted;

  CountingStore(Store store) {
    this.counted = store;
  }

  @Override
  protected Store to() {
    return counted;
  }

  @Override
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    calls.increment();
    return call.get();
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    commits.increment();
    groups.add(batch.groups().size());
    return super.commit(batch);
  }
}
