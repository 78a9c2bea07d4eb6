package dev.hapax.engine.pass;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Journals;
import dev.hapax.engine.replay.ReadJournal;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.engine.writing.PendingStart;
import dev.hapax.engine.writing.RunWriter;
import dev.hapax.flow.Run;
import dev.hapax.run.NewRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as a pass finds it.
 *
 * @param replay what its journal says so far
 * @param journal writes to its journal
 * @param cancel the request to cancel it
 * @param toKeep its journal as read, for the next pass; null if reading it again costs little
 */
record PassBasis(
    RunFacts facts,
    Replay replay,
    RunWriter journal,
    Run.@Nullable Cancel cancel,
    @Nullable ReadJournal toKeep) {

  /** A place at which no journal ends. */
  private static final long NO_PLACE = -1;

  /** A run that its first commit inserts. */
  static PassBasis ofNew(EngineParts parts, NewRun run, PendingStart pendingStart) {
    var journal = new RunWriter(parts.writing(), run, pendingStart);
    return new PassBasis(RunFacts.of(run), Replay.of(List.of()), journal, null, null);
  }

  /** A run that belongs to this process and is taken up again. */
  static PassBasis ofTaken(EngineParts parts, Journals.Loaded loaded) {
    Run run = loaded.run();
    ReadJournal read = loaded.read();
    boolean isKept = parts.journals().isWorthKeeping(read);
    if (isKept) {
      read.replay().beginPass();
    }
    return new PassBasis(
        RunFacts.of(run),
        read.replay(),
        new RunWriter(parts.writing(), run.number(), loaded.stored().seq()),
        run.cancel(),
        isKept ? read : null);
  }

  /** A run as it was before a retry. All writes are refused. */
  static PassBasis ofEarlier(EngineParts parts, RunFacts facts, Replay replay) {
    var journal = new RunWriter(parts.writing(), facts.identity().run(), NO_PLACE);
    return new PassBasis(facts, replay, journal, null, null);
  }
}
