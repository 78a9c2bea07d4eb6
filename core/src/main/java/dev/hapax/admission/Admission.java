package dev.hapax.admission;

import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.run.Tombstone;

/** What becomes of a request. */
public sealed interface Admission {
  /** Nobody has asked for this before: the run is to be written. */
  record Fresh(NewRun run) implements Admission {}

  /** The same intent came before; its run answers. */
  record Duplicate(Run first) implements Admission {}

  /** The same key came before, so long ago that only a tombstone of its run is left. */
  record KeyExpired(Tombstone tombstone) implements Admission {}

  /** The key belongs to another input. */
  record KeyReused(Run first, String difference) implements Admission {}
}
