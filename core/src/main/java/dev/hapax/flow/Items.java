package dev.hapax.flow;

import java.util.List;

/**
 * What a loop has come to. A run with failed items ends as partial, and its retry touches only
 * those.
 *
 * @param failures the first of them
 */
public record Items(long succeeded, long failed, List<Failed> failures) {
  /** An item that failed, and why. */
  public record Failed(String item, String code, String message) {}

  public Items {
    failures = List.copyOf(failures);
  }

  public boolean allSucceeded() {
    return failed == 0;
  }
}
