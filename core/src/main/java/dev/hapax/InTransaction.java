package dev.hapax;

import dev.hapax.engine.Engine;
import dev.hapax.flow.Flow;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Provisional;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts runs in the caller's own transaction. A run begins soon after the commit. Until then only
 * that transaction sees it, and a rollback leaves nothing behind. Keep the transaction short: other
 * starts with the same key wait for it. Like a connection, it is used by one thread at a time.
 */
public final class InTransaction {
  private static final Logger log = LoggerFactory.getLogger(InTransaction.class);
  private static final Duration FIRST_LOOK = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Hapax hapax;
  private final Engine engine;
  private final Function<Group, Provisional> transaction;

  InTransaction(Hapax hapax, Engine engine, Function<Group, Provisional> transaction) {
    this.hapax = hapax;
    this.engine = engine;
    this.transaction = transaction;
  }

  /**
   * Starts a run that begins after you commit. A second start with the same key gets the first run.
   */
  public <I, O> RunHandle<O> start(Flow<I, O> flow, I input) {
    return start(flow, input, null);
  }

  /** As above, with a key, for a flow that does not compute one. */
  public <I, O> RunHandle<O> start(Flow<I, O> flow, I input, @Nullable String key) {
    return RunHandle.of(
        hapax, flow, engine.starts().startIn(this::write, hapax.request(flow, input, key)));
  }

  private GroupAnswer write(Group group) {
    Provisional written = transaction.apply(group);
    Long run = group.run();
    boolean isWritten =
        written.answer() instanceof GroupAnswer.Landed
            || written.answer() instanceof GroupAnswer.Queued;
    if (run != null && isWritten) {
      lookIn(FIRST_LOOK, run, written);
    }
    return written.answer();
  }

  // ---- the caller commits without notifying us, so we poll

  private void lookIn(Duration pause, long run, Provisional written) {
    engine.later(
        pause, () -> engine.inBackground("hapax-in-transaction", () -> look(pause, run, written)));
  }

  private void look(Duration pause, long run, Provisional written) {
    try {
      switch (written.outcome()) {
        case OPEN -> lookIn(longer(pause), run, written);
        case COMMITTED -> begin(run, written.answer());
        case ROLLED_BACK -> {}
      }
    } catch (RuntimeException e) {
      log.warn(
          "could not find out whether the transaction of run {} was committed; if it was, the run starts later",
          run,
          e);
      engine.wake(run);
    }
  }

  private void begin(long run, GroupAnswer answer) {
    if (answer instanceof GroupAnswer.Queued(var queued, var woken)) {
      engine.displaced(queued.displaced());
      engine.woken(woken);
    }
    engine.wake(run);
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }
}
