package dev.hapax.flows.step;

import java.util.List;

/** The list of all guards, in the order of the docs. */
final class GuardKinds {
  static final List<GuardForm> ALL =
      List.of(
          KeyedGuard.FORM, UpsertGuard.FORM, TransactionGuard.FORM, LookupGuard.FORM, NoGuard.FORM);

  private GuardKinds() {}

  static GuardForm named(String word) {
    return ALL.stream().filter(guard -> guard.word().equals(word)).findFirst().orElseThrow();
  }
}
