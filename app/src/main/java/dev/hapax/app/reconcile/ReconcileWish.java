package dev.hapax.app.reconcile;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reconciliation compares; the input of its run.
 *
 * @param targets the steps whose effects are compared, one after another
 * @param from only effects that the ledger got at this time or later are missed; null for all
 * @param to only effects that the ledger got before this time are missed; null for all
 * @param adopt whether ids that are found are noted, and reviews that are found are settled
 * @param by who asked for it
 */
public record ReconcileWish(
    String tenant,
    String flow,
    int release,
    List<Target> targets,
    @Nullable String from,
    @Nullable String to,
    boolean adopt,
    String by) {
  /** A step, and the name of its effects in the ledger. */
  public record Target(String step, String effect) {}
}
