package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.time.Signal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the search index. It looks only after something was written, and leaves most of the store's
 * time to others. Safe for many threads.
 */
final class SearchIndexing {
  private static final Logger log = LoggerFactory.getLogger(SearchIndexing.class);

  /** Rows enter the search index a minute after they are made, or when a search needs them. */
  private static final Duration EVERY = Duration.ofSeconds(30);

  /** So often after the last write, because its rows are too young at first. */
  private static final int LOOKS = 3;

  /** Between two commits of 500 rows, so that other commits do not wait for several of them. */
  private static final Duration REST = Duration.ofMillis(64);

  private final AtomicInteger looks = new AtomicInteger(LOOKS);

  /** Notes that there are new rows. */
  void written() {
    looks.set(LOOKS);
  }

  /** Works until the signal is raised. */
  void work(Hapax hapax, Signal stopped) {
    while (!stopped.await(EVERY)) {
      if (looks.get() == 0) {
        continue;
      }
      looks.decrementAndGet();
      try {
        boolean isBehind = true;
        while (isBehind && !stopped.await(REST)) {
          isBehind = hapax.indexForSearch();
        }
      } catch (RuntimeException e) { // also while the store is unreachable
        log.debug("the search index could not be filled; this node tries again", e);
        looks.set(LOOKS);
      }
    }
  }
}
