package dev.hapax.app.reconcile;

import dev.hapax.flow.EffectRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reconciliation compares; the input of its run. What came later may be null: a stored input
 * may be older.
 *
 * @param targets the steps whose effects are compared, one after another
 * @param from only effects that the ledger got at this time or later are missed; null for all
 * @param to only effects that the ledger got before this time are missed; null for all
 * @param adopt whether ids that are found are noted, and reviews that are found are settled
 * @param by who asked for it
 * @param rate lookups or pages in a second; null: as usual
 * @param repair whether it plans how to send again what is missing
 * @param schedule the schedule that started it; null if a person did
 */
public record ReconcileWish(
    String tenant,
    String flow,
    int release,
    List<Target> targets,
    @Nullable String from,
    @Nullable String to,
    boolean adopt,
    String by,
    @Nullable Integer rate,
    @Nullable Boolean repair,
    @Nullable String schedule) {
  /**
   * A step, and the name of its effects in the ledger.
   *
   * @param lookup whether each effect is looked up, because there is no list
   */
  public record Target(String step, String effect, @Nullable Boolean lookup) {
    boolean byLookup() {
      return Boolean.TRUE.equals(lookup);
    }
  }

  /**
   * Returns the wish of a run of this tenant. The run says whose ledger is compared; what the input
   * says does not count.
   */
  ReconcileWish of(String owner) {
    return tenant.equals(owner)
        ? this
        : new ReconcileWish(
            owner, flow, release, targets, from, to, adopt, by, rate, repair, schedule);
  }

  boolean repairs() {
    return Boolean.TRUE.equals(repair);
  }

  /** Returns the step whose lookup is for this row. */
  String stepOf(EffectRecord row) {
    return targetOf(row).step();
  }

  /** Two steps of a flow may share the name of an effect: each has its own rows. */
  private Target targetOf(EffectRecord row) {
    List<Target> sharing =
        targets.stream().filter(one -> one.effect().equals(row.key().name())).toList();
    return sharing.stream()
        .filter(one -> one.step().equals(row.step().name()))
        .findFirst()
        .orElse(sharing.getFirst());
  }

  boolean isOf(Target target, EffectRecord row) {
    return targetOf(row).equals(target);
  }

  boolean byLookup(int target) {
    return target < targets.size() && targets.get(target).byLookup();
  }
}
