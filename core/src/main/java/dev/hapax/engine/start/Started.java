package dev.hapax.engine.start;

import dev.hapax.admission.Admission;
import dev.hapax.engine.writing.Endings;
import dev.hapax.flow.RunId;
import dev.hapax.run.NewRun;
import org.jspecify.annotations.Nullable;

/** The outcome of a start for its caller. */
public sealed interface Started {
  /**
   * The run is new and durable, or will be when the caller commits.
   *
   * @param ending where to wait for the run's end; null if the caller commits it
   */
  record Fresh(NewRun run, Endings.@Nullable Ending ending) implements Started {}

  /** The key has a run already, or had one. Nothing was started. */
  record Found(Admission.Taken taken) implements Started {}

  /** The caller's thread was interrupted. The run may still become durable. */
  record Interrupted(RunId run, InterruptedException cause) implements Started {}
}
