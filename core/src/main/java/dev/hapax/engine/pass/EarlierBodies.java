package dev.hapax.engine.pass;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NoAnswer;
import dev.hapax.run.journal.JournalEntry;
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
    Flow<?, ?> code = flow;
    for (int i = journal.size() - 1; i >= 0 && !isAllKnown.getAsBoolean(); i--) {
      Before before = beforeReopening(journal.get(i));
      if (before == null) {
        continue;
      }
      then = before.input() == null ? then : then.withInput(before.input());
      code = before.release() == null ? code : codeOf(before.release());
      if (code == null) {
        return; // what only this code knows is left to a person
      }
      replay(code, then, Replay.asOf(journal.subList(0, i), cause));
    }
  }

  /** What the run had before it was retried or replayed; null if that is as after it. */
  private record Before(@Nullable String input, @Nullable Integer release) {}

  private @Nullable Flow<?, ?> codeOf(int release) {
    return parts.starts().codeOf(facts.identity().tenant(), flow.name(), release);
  }

  private static @Nullable Before beforeReopening(JournalRow row) {
    if (row.item() != null) {
      return null;
    }
    for (JournalEntry entry : row.readEntries()) {
      if (entry instanceof RunEntry.Retried retried) {
        return new Before(retried.previousInput(), null);
      }
      if (entry instanceof RunEntry.Replayed replayed) {
        return new Before(replayed.previousInput(), replayed.previousRelease());
      }
    }
    return null;
  }

  private void replay(Flow<?, ?> code, RunFacts then, Replay journal) {
    var basis = PassBasis.ofEarlier(parts, then, journal);
    var pass = new RunPass(parts, bodies, code, basis, compensation);
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
    } catch (Throwable e) { // also an unwind
      NoAnswer missing = NoAnswer.behind(e);
      if (missing != null) {
        return missing;
      }
      log.debug("run {}: its body from before a retry ended with {}", pass.id(), e.toString());
    }
    return pass.fence().trouble() instanceof NoAnswer trouble ? trouble : null;
  }
}
