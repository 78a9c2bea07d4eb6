package dev.hapax;

import dev.hapax.flow.EffectReceipt;
import dev.hapax.flow.ExpiredEffect;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What can still be said about an effect whose record has expired. Nothing of it is proven. */
final class ExpiredReceipt {
  private static final String GONE =
      "The record of the effect has expired: its attempts, request, result and decisions are gone. Only a small remainder is left, which keeps a hash of the name and the key. The name and the key of this receipt are those that were asked for; they have this hash.";

  private ExpiredReceipt() {}

  static EffectReceipt of(ExpiredEffect left, String store, Instant now) {
    return new EffectReceipt(
        ReceiptFacts.VERSION,
        now,
        store,
        left.key().tenant(),
        new EffectReceipt.Verdict(false, "nothing", says(left)),
        new EffectReceipt.Sent(
            left.id(),
            left.key().name(),
            left.key().key(),
            left.wireKey(),
            left.kind().name().toLowerCase(Locale.ROOT),
            null,
            left.state().word(),
            left.revision(),
            null,
            null,
            null,
            null,
            left.externalId(),
            null,
            null,
            null),
        null,
        List.of(),
        List.of(),
        new EffectReceipt.Stopped(0, List.of()),
        List.of(GONE),
        null);
  }

  private static String says(ExpiredEffect left) {
    return switch (left.state()) {
      case DONE ->
          "The ledger had it as done until its record expired. Whether the destination confirmed it, or a person said so, is not kept.";
      case UNDONE -> "The ledger had it as done and then undone until its record expired.";
      case FAILED -> "The ledger had it as failed until its record expired: it did not happen.";
      case ABANDONED ->
          "It was given up in doubt, so it may have happened. Its record has expired.";
      case PENDING, DOUBT, REVIEW, UNDOING ->
          "Its record has expired; the last known state is %s.".formatted(left.state().word());
    };
  }
}
