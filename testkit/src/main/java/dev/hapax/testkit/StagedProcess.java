package dev.hapax.testkit;

import dev.hapax.flow.Interceptor;
import dev.hapax.flow.StoreBroken;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process on a {@link Stage}, which can die. A dead one reaches neither store nor world. */
final class StagedProcess {
  private static final ScopedValue<StagedProcess> CURRENT = ScopedValue.newInstance();

  private volatile boolean dead;

  /** Whether the code of a step that asks belongs to a process that has died. */
  static boolean isCurrentDead() {
    return CURRENT.isBound() && CURRENT.get().dead;
  }

  void die() {
    dead = true;
  }

  boolean isDead() {
    return dead;
  }

  private void refuseIfDead() {
    if (dead) {
      throw new StoreBroken("this process is dead", null);
    }
  }

  /**
   * Returns the store as this process sees it.
   *
   * @param commits runs each commit, or does not
   */
  Store view(Store store, BiConsumer<Batch, Runnable> commits) {
    return new View(store, commits);
  }

  /** Returns an interceptor that lets nothing out of a dead process. */
  Interceptor whileAlive(Interceptor interceptor) {
    return new WhileAlive(interceptor);
  }

  private final class View extends ForwardingStore {
    private final Store store;
    private final BiConsumer<Batch, Runnable> commits;

    View(Store store, BiConsumer<Batch, Runnable> commits) {
      this.store = store;
      this.commits = commits;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      refuseIfDead();
      return call.get();
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      refuseIfDead();
      var answers = new AtomicReference<List<GroupAnswer>>(List.of());
      commits.accept(batch, () -> answers.set(store.commit(batch)));
      refuseIfDead();
      return answers.get();
    }

    @Override
    public void close() {
      refuseIfDead(); // otherwise it stays open, for the next process
    }
  }

  /** Some threads have not noticed the death of their process. */
  private final class WhileAlive implements Interceptor {
    private final Interceptor interceptor;

    WhileAlive(Interceptor interceptor) {
      this.interceptor = interceptor;
    }

    @Override
    public String send(Sending sending, Answering sender) throws Exception {
      refuseIfDead();
      return ScopedValue.where(CURRENT, StagedProcess.this)
          .call(() -> interceptor.send(sending, sender));
    }

    @Override
    public void stay(Stay stay, Runnable code) {
      interceptor.stay(stay, code);
    }

    @Override
    public <T> T work(Work work, Callable<T> code) throws Exception {
      refuseIfDead();
      return ScopedValue.where(CURRENT, StagedProcess.this)
          .call(() -> interceptor.work(work, code));
    }
  }
}
