package dev.hapax.flows;

import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store in memory that a test can fill up, or whose durable map it can make silent. */
final class TroubledStore extends ForwardingStore {
  private final Store store = new MemoryStore();
  volatile boolean isFull;
  volatile boolean isMapAway;

  /** Zero when a commit has found no space. */
  final CountDownLatch hasRefused = new CountDownLatch(1);

  @Override
  protected Store to() {
    return store;
  }

  @Override
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    if (isMapAway && method.equals("kv")) {
      throw new StoreUnavailable("the database is away", null);
    }
    return super.call(method, call);
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    if (isFull) {
      hasRefused.countDown();
      throw new StoreFull("no space", null);
    }
    return super.commit(batch);
  }
}
