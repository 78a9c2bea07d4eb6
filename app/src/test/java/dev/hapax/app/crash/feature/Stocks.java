package dev.hapax.app.crash.feature;

import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import java.time.Duration;

/** At most two runs per shelf at once, of which one at a time is inside. */
record Stocks(Post post) {
  private static final int AT_ONCE = 2;
  private static final Duration INSIDE = Duration.ofSeconds(10);

  Flow<Case, String> flow() {
    return Flow.of(Case.Kind.STOCK.flow(), Case.class, String.class)
        .key(Case::key)
        .concurrency(Case::shelf, AT_ONCE)
        .body(this::pick);
  }

  private String pick(RunContext run, Case stock) throws Exception {
    return run.locked(
        "inside",
        stock.shelf(),
        lock -> {
          String holder = lock.key() + " " + lock.fence();
          post.once(run, "enter", stock.key(), holder);
          Orders.count(run, lock.key());
          run.sleep("look", INSIDE);
          post.once(run, "leave", stock.key(), holder);
          return holder;
        });
  }
}
