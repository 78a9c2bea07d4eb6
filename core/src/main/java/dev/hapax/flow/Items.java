package dev.hapax.flow;

import java.util.List;

/**
 * The result of a loop. A run with failed items ends as partial, and its retry repeats only the
 * failed items.
 *
 * @param failures the first of the failed items
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
