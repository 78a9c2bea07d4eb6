package dev.hapax;

import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.ExpiredEffect;
import dev.hapax.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Receipts of effects, for people outside: what was sent and when, what proves that it happened,
 * who decided what. They are not signed; a server signs those that it gives.
 */
public final class Receipts {
  private final TenantRecords records;
  private final LedgerBook ledger;
  private final Clock clock;

  Receipts(TenantRecords records, LedgerBook ledger, Clock clock) {
    this.records = records;
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * Returns the receipt of the effect with this name and business key, also of one whose record has
   * expired; null if nothing is known about one.
   */
  public @Nullable EffectReceipt find(String name, String key) {
    EffectRecord row = ledger.find(name, key);
    if (row != null) {
      return of(row);
    }
    ExpiredEffect left = ledger.findExpired(name, key);
    return left == null ? null : of(left);
  }

  public EffectReceipt of(EffectRecord effect) {
    return new ReceiptFacts(records, effect).receipt(store(), clock.now());
  }

  /** Returns what can still be said about an effect whose record has expired. */
  public EffectReceipt of(ExpiredEffect left) {
    return ExpiredReceipt.of(left, store(), clock.now());
  }

  private String store() {
    return Long.toString(records.store().id(), Character.MAX_RADIX);
  }
}
