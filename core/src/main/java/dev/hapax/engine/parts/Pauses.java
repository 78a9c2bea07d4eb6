package dev.hapax.engine.parts;

import java.util.function.BooleanSupplier;

/** Decides before each step whether a run in memory waits on disk instead. */
public interface Pauses extends BooleanSupplier {
  /** Whether the engine is closing, so that all runs wait. */
  @Override
  boolean getAsBoolean();

  /** Whether runs of this tenant wait: the engine is closing, or the tenant is held back. */
  boolean concern(String tenant);
}
