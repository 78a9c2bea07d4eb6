package dev.hapax.testkit.promise;

import java.util.List;

/** A promise of Hapax, as a check that can fail. */
public interface Promise {
  /** Returns every way in which the evidence breaks the promise, in words; empty if it was kept. */
  List<String> brokenBy(Evidence evidence);

  default String name() {
    return getClass().getSimpleName();
  }
}
