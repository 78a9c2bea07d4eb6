package dev.hapax.testkit;

import dev.hapax.testkit.ProofRequests.Name;
import org.jspecify.annotations.Nullable;

/** Compares a run with the undisturbed one: each effect must have been applied as often. */
final class ProofComparison {
  private final ProofRun undisturbed;
  private final ProofRun run;

  ProofComparison(ProofRun undisturbed, ProofRun run) {
    this.undisturbed = undisturbed;
    this.run = run;
  }

  /** Notes on the run how it differs. */
  void carryOut() {
    if (run.status() != undisturbed.status()) {
      run.note(
          null,
          "the run ended as %s:%s".formatted(run.status().word(), HistoryText.of(run.history())));
    }
    undisturbed.deeds().forEach((name, usual) -> compare(name, usual, run.deeds().get(name)));
    run.deeds()
        .forEach(
            (name, deed) -> {
              if (!undisturbed.deeds().containsKey(name) && deed.applied() > 0) {
                run.note(name, "it was applied, but the undisturbed run does not send it");
              }
            });
  }

  private void compare(Name name, ProofRun.Deed usual, ProofRun.@Nullable Deed deed) {
    int applied = deed == null ? 0 : deed.applied();
    if (deed != null && deed.wireKeys().size() != usual.wireKeys().size()) {
      run.note(name, "it was sent under the keys " + deed.wireKeys());
    }
    if (applied > usual.applied() && !usual.mayRepeat()) {
      run.note(name, times(applied, usual));
    } else if (applied < usual.applied() && !run.hasSkipped(usual)) {
      run.note(name, applied == 0 ? "it was lost: it was not applied" : times(applied, usual));
    }
  }

  private static String times(int applied, ProofRun.Deed usual) {
    return "it was applied %d times instead of %d".formatted(applied, usual.applied());
  }
}
