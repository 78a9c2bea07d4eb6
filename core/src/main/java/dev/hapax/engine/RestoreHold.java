package dev.hapax.engine;

import dev.hapax.flow.Restored;
import dev.hapax.flow.StoreRestored;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stops an engine from doing anything after its store was restored or copied, until a person has
 * said what the store is. Safe for many threads.
 */
public final class RestoreHold {
  private final Store store;
  private volatile boolean holds;
  private final List<Runnable> afterwards = new ArrayList<>(); // guarded by itself

  RestoreHold(Store store) {
    this.store = store;
    this.holds = store.restored() != null;
  }

  boolean holds() {
    return holds;
  }

  /** Why the store is held; null if it is not. */
  public @Nullable Restored restored() {
    return holds ? store.restored() : null;
  }

  void refuse() {
    Restored restored = restored();
    if (restored != null) {
      throw new StoreRestored(restored);
    }
  }

  /** Runs this now, or when a person has said what the store is. */
  public void then(Runnable what) {
    synchronized (afterwards) {
      if (holds) {
        afterwards.add(what);
        return;
      }
    }
    what.run();
  }

  /** Ends the hold; true if this call has ended it. The caller then calls {@link #goOn}. */
  boolean end() {
    synchronized (afterwards) {
      boolean ends = holds && store.restored() == null;
      holds = holds && !ends;
      return ends;
    }
  }

  void goOn() {
    List<Runnable> waiting;
    synchronized (afterwards) {
      waiting = List.copyOf(afterwards);
      afterwards.clear();
    }
    waiting.forEach(Runnable::run);
  }
}
