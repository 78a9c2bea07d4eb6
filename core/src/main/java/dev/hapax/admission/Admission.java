package dev.hapax.admission;

import dev.hapax.flow.Run;
import dev.hapax.run.NewRun;
import dev.hapax.run.Tombstone;

/** The decision about a request. */
public sealed interface Admission {
  /** The request is new: the run is to be written. */
  record Fresh(NewRun run) implements Admission {}

  /** The key has a run already, or had one. */
  sealed interface Taken extends Admission {}

  /** The same intent arrived before; its run answers. */
  record Duplicate(Run first) implements Taken {}

  /** The same key was used before, so long ago that only the tombstone of its run is left. */
  record KeyExpired(Tombstone tombstone) implements Taken {}

  /** The key belongs to a run with another input. */
  record KeyReused(Run first, String difference) implements Taken {}
}
