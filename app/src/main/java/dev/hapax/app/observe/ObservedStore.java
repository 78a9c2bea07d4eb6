package dev.hapax.app.observe;

import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.util.List;

/** A store whose commits an observer sees once they are durable. */
public final class ObservedStore extends ForwardingStore {
  private final Store store;
  private final Observer observer;

  /** Sees every commit, on the committer's thread: it must neither block nor fail. */
  @FunctionalInterface
  public interface Observer {
    void committed(Batch batch, List<GroupAnswer> answers, long nanos);
  }

  public ObservedStore(Store store, Observer observer) {
    this.store = store;
    this.observer = observer;
  }

  @Override
  protected Store to() {
    return store;
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    long begin = System.nanoTime();
    List<GroupAnswer> answers = store.commit(batch);
    observer.committed(batch, answers, System.nanoTime() - begin);
    return answers;
  }
}
