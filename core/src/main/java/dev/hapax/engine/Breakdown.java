package dev.hapax.engine;

import dev.hapax.effect.LeaseTerm;
import dev.hapax.engine.writing.Endings;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what waits for an engine that can no longer work, and reports the cause. */
final class Breakdown {
  private static final Logger log = LoggerFactory.getLogger(Breakdown.class);

  private final LeaseTerm term;
  private final Endings endings;
  private final Consumer<RuntimeException> listener;

  Breakdown(LeaseTerm term, Endings endings, Consumer<RuntimeException> listener) {
    this.term = term;
    this.endings = endings;
    this.listener = listener;
  }

  @SuppressWarnings("CatchingThrowable") // of the listener, which is not ours
  void of(RuntimeException cause) {
    term.lost(cause);
    endings.close(cause);
    log.error(
        "the engine has closed because of an error that it cannot repair; open the store again",
        cause);
    try {
      listener.accept(cause);
    } catch (Throwable e) {
      log.error("the listener for a broken engine failed", e);
    }
  }
}
