package dev.hapax.engine;

import dev.hapax.run.Run;
import dev.hapax.time.Signal;
import org.jspecify.annotations.Nullable;

/**
 * A start on its way to the disk: whoever started waits here until the run is durable, or found to
 * exist.
 */
public final class Begun {
  private final Signal settled;
  private final Endings.Ending ending;
  private volatile @Nullable Run existing;
  private volatile @Nullable RuntimeException failure;

  Begun(Signal settled, Endings.Ending ending) {
    this.settled = settled;
    this.ending = ending;
  }

  /** Waits until the run is durable and returns null, or returns the run that was there already. */
  public @Nullable Run await() {
    settled.await();
    RuntimeException problem = failure;
    if (problem != null) {
      throw problem;
    }
    return existing;
  }

  /** Where to wait for the run's end. */
  public Endings.Ending ending() {
    return ending;
  }

  void accepted() {
    settled.raise();
  }

  void exists(Run run) {
    existing = run;
    settled.raise();
  }

  void failed(RuntimeException problem) {
    if (!settled.isRaised()) {
      failure = problem;
      settled.raise();
    }
  }

  boolean isAccepted() {
    return settled.isRaised() && existing == null && failure == null;
  }
}
