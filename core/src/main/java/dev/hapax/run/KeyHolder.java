package dev.hapax.run;

import dev.hapax.flow.Run;

/** The holder of a run id: the run itself, or its tombstone. */
public sealed interface KeyHolder {
  /** The number of the run that has, or had, the id. */
  long number();

  /** Whether a person has freed the key: the next start under it is a new run. */
  boolean isForgotten();

  /** The full record is there. */
  record Present(Run run, boolean isForgotten) implements KeyHolder {
    @Override
    public long number() {
      return run.number();
    }
  }

  /** The record is gone. */
  record Expired(Tombstone tombstone, boolean isForgotten) implements KeyHolder {
    @Override
    public long number() {
      return tombstone.number();
    }
  }

  /** Whether another run may follow under the key; the flow decides whether it does. */
  default boolean mayBeSucceeded() {
    return isForgotten() || this instanceof Expired;
  }
}
