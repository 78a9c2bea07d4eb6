package dev.hapax.store.postgres;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.run.NewRun;

/** Runs that have only a key. */
final class TestRuns {
  private TestRuns() {}

  static NewRun newRun(long number, String key) {
    String input = "{}";
    return new NewRun(
        number,
        RunId.of("acme", "charge", key, null),
        "acme",
        "charge",
        1,
        key,
        Fingerprint.of(input),
        input,
        null);
  }
}
