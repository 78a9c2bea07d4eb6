package dev.hapax.testkit.simulation;

import dev.hapax.testkit.promise.StoreIsNoOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * A failure as a flow's own code throws it on: as it is, or wrapped by the code it went through.
 */
public final class WrappedFailure {
  /** How deep a failure can be wrapped; 0 is not at all. */
  public static final int DEEPEST = 4;

  private WrappedFailure() {}

  /** Wraps the failure this many times, as futures, streams and argument checks do. */
  public static RuntimeException of(RuntimeException failure, int depth) {
    return switch (depth) {
      case 0 -> failure;
      case 1 -> new IllegalArgumentException(StoreIsNoOutcome.WRAPPED, failure);
      case 2 -> new CompletionException(new ExecutionException(failure));
      case 3 -> new UncheckedIOException(new IOException(new IllegalStateException(failure)));
      case DEEPEST -> {
        var last = new IllegalStateException(StoreIsNoOutcome.WRAPPED + ", tried twice");
        last.addSuppressed(new ExecutionException(new IOException(of(failure, 1))));
        yield last;
      }
      default -> throw new IllegalArgumentException("depth: expected 0 to 4, got " + depth);
    };
  }
}
