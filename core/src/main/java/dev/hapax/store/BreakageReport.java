package dev.hapax.store;

import dev.hapax.flow.StoreBroken;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that reports when a call finds it broken. A caller's read may be the first to find out,
 * and an engine that has nothing to write would not notice.
 */
public final class BreakageReport extends ForwardingStore {
  private final Store store;
  private volatile Consumer<RuntimeException> listener = _ -> {};

  public BreakageReport(Store store) {
    this.store = store;
  }

  /** Calls the listener each time, on the thread that found the store broken. */
  public void whenBroken(Consumer<RuntimeException> hears) {
    listener = hears;
  }

  @Override
  protected Store to() {
    return store;
  }

  @Override
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    try {
      return call.get();
    } catch (StoreBroken broken) {
      listener.accept(broken);
      throw broken;
    }
  }
}
