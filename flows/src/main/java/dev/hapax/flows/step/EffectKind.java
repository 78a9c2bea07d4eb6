package dev.hapax.flows.step;

import java.util.Locale;

/** Defines what "already handled" means for an effect. */
public enum EffectKind {
  /** Changes nothing: retried freely, and not in the ledger. */
  READ,
  CREATE,
  UPDATE,
  NOTIFY,
  ADDITIVE;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
