package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.util.List;

/**
 * Lets rows enter the search index, in small commits. Rows that are not in it are found too, but a
 * search must look at each of them. Safe for many threads.
 */
record SearchCatchUp(Engine engine, Store store) {
  /** Rows of one commit; it takes a few milliseconds. */
  private static final int AT_ONCE = 500;

  /** A search waits for at most this many commits. */
  private static final int MOST_FOR_A_SEARCH = 20;

  /** By then, nearly every commit that was begun with a smaller number has landed. */
  private static final Duration YOUNG = Duration.ofMinutes(1);

  /** Catches up as far as a search can wait for. */
  void forSearch() {
    for (int i = 0; i < MOST_FOR_A_SEARCH; i++) {
      if (!step()) {
        return;
      }
    }
  }

  /** Makes one commit; false if there was nothing to do, or nothing can be written now. */
  boolean step() {
    long before = IdSource.firstAt(engine.clock().now().minus(YOUNG));
    if (!engine.isOpen()
        || engine.hold().restored() != null
        || engine.committer().isFull()
        || !store.isSearchBehind(before)) {
      return false;
    }
    engine
        .committer()
        .submit(
            Group.always(
                engine.ids().next(),
                engine.clock().now(),
                List.of(new Change.IndexSearch(before, AT_ONCE))))
        .await();
    return true;
  }
}
