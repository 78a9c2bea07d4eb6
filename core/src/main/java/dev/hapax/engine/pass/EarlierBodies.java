package dev.hapax.engine.pass;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NoAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.time.ProcessGone;
import dev.hapax.time.Signal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays the body of a run as it was before each retry. A corrected input, or a step that now
 * succeeds, can lead the body past effects that are done and still to be undone. Only the earlier
 * body knows how to undo them. It is replayed over the journal of that time and begins nothing.
 */
final class EarlierBodies {
  private static final Logger log = LoggerFactory.getLogger(EarlierBodies.class);

  /** A body that does not return in this time is not waited for any longer. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final EngineParts parts;
  private final BodyRunner bodies;
  private final Flow<?, ?> flow;
  private final RunFacts facts;
  private final Compensation compensation;

  EarlierBodies(
      EngineParts parts,
      BodyRunner bodies,
      Flow<?, ?> flow,
      RunFacts facts,
      Compensation compensation) {
    this.bodies = bodies;
    this.parts = parts;
    this.flow = flow;
    this.facts = facts;
    this.compensation = compensation;
  }

  /** Replays the bodies one after the other, the last one first, until everything is known. */
  void tell(List<JournalRow> journal, Failure cause, BooleanSupplier isAllKnown) {
    RunFacts then = facts;
    for (int i = journal.size() - 1; i >= 0 && !isAllKnown.getAsBoolean(); i--) {
      RunEntry.Retried retried = retriedIn(journal.get(i));
      if (retried != null) {
        then = retried.previousInput() == null ? then : then.withInput(retried.previousInput());
        replay(then, Replay.asOf(journal.subList(0, i), cause));
      }
    }
  }

  private static RunEntry.@Nullable Retried retriedIn(JournalRow row) {
    return row.item() != null
        ? null
        : row.readEntries().stream()
            .filter(RunEntry.Retried.class::isInstance)
            .map(RunEntry.Retried.class::cast)
            .findFirst()
            .orElse(null);
  }

  private void replay(RunFacts then, Replay journal) {
    var basis = PassBasis.ofEarlier(parts, then, journal);
    var pass = new RunPass(parts, bodies, flow, basis, compensation);
    var noAnswer = new AtomicReference<@Nullable NoAnswer>();
    Signal isOver = parts.threads().signal();
    Runnable watched = pass.beside(() -> noAnswer.set(tell(pass)));
    parts
        .threads()
        .virtual(
            "hapax-earlier-body",
            () -> {
              try {
                watched.run(); // an interceptor that fails is no reason to close the engine
              } finally {
                isOver.raise();
              }
            });
    if (!isOver.await(PATIENCE)) {
      pass.fence().close();
      log.warn(
          "run {}: its body from before a retry does not return; its thread is abandoned",
          pass.id());
    }
    NoAnswer failed = noAnswer.get();
    if (failed != null) {
      throw failed;
    }
  }

  /** The body's own outcome does not matter, but a store that gave no answer does. */
  @SuppressWarnings("CatchingThrowable")
  private static @Nullable NoAnswer tell(RunPass pass) {
    try {
      pass.replayBody();
    } catch (ProcessGone e) {
      throw e;
    } catch (NoAnswer e) {
      return e;
    } catch (Throwable e) { // also an unwind
      log.debug("run {}: its body from before a retry ended with {}", pass.id(), e.toString());
    }
    return pass.fence().trouble() instanceof NoAnswer trouble ? trouble : null;
  }
}
