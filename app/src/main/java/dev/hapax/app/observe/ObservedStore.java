package dev.hapax.app.observe;

import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose commits an observer sees once they are durable, and which reports a breakdown of
 * the server.
 */
public final class ObservedStore extends ForwardingStore {
  private final Store store;
  private final Observer observer;
  private final ServerBreakdown breakdown;

  /** Sees every commit, on the committer's thread: it must neither block nor fail. */
  @FunctionalInterface
  public interface Observer {
    void committed(Batch batch, List<GroupAnswer> answers, long nanos);
  }

  /**
   * Wraps a store.
   *
   * @param breakdown of the server around it; the next call reports it to the engine
   */
  public ObservedStore(Store store, Observer observer, ServerBreakdown breakdown) {
    this.store = store;
    this.observer = observer;
    this.breakdown = breakdown;
  }

  @Override
  protected Store to() {
    return store;
  }

  @Override
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    breakdown.report();
    return call.get();
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    long begin = System.nanoTime();
    List<GroupAnswer> answers = store.commit(batch);
    observer.committed(batch, answers, System.nanoTime() - begin);
    return answers;
  }
}
