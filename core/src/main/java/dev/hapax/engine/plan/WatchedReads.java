package dev.hapax.engine.plan;

import dev.hapax.flow.NoAnswer;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store as one plan reads it. It remembers the first read that was not answered: the body of a
 * flow may catch the exception and take another path, and the plan would then lack effects that the
 * run sends. Used by one thread.
 */
final class WatchedReads extends ForwardingStore {
  private final Store store;
  private @Nullable NoAnswer first;

  WatchedReads(Store store) {
    this.store = store;
  }

  @Override
  protected Store to() {
    return store;
  }

  @Override
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    try {
      return call.get();
    } catch (NoAnswer e) {
      throw unanswered(e);
    }
  }

  /** Remembers a read that was not answered, and returns it. */
  NoAnswer unanswered(NoAnswer missing) {
    first = first == null ? missing : first;
    return missing;
  }

  /** Throws the first missing answer, if there is one. */
  void refuseUnanswered() {
    if (first != null) {
      throw first;
    }
  }
}
