package dev.hapax.effect;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Step;
import dev.hapax.json.Digest;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.store.Change;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An effect that a run wants to do, in the terms of the ledger. */
record EffectIntent(EffectStep step, RunPort.Identity who) {

  EffectKey key() {
    return step.key(who.tenant(), who.flow(), who.id());
  }

  String wireKey(int revision) {
    return key().onWire(revision);
  }

  /** Returns the change that claims the key; an undo claims its target too. */
  Change question(long number, Instant now) {
    var effect = step.effect();
    var claim =
        new EffectClaim(
            number,
            key(),
            effect.kind(),
            step.guard().word(),
            who.run(),
            step.step(),
            fingerprint(),
            step.request(),
            effect.version(),
            origin(),
            now,
            effect.appliesTies(),
            step.onRework());
    var undoing = step.undoing();
    return undoing == null ? new Change.Claim(claim) : new Change.Undo(undoing.wish(claim));
  }

  /**
   * Returns the journal entry of the claim.
   *
   * @param branch where in the run
   */
  EffectEntry.Claimed entry(long number, @Nullable String branch) {
    var key = key();
    return new EffectEntry.Claimed(
        step.step(),
        number,
        key.name(),
        key.key(),
        step.effect().kind(),
        step.guard().word(),
        origin(),
        step.effect().compensation() == null ? null : true,
        branch);
  }

  @Nullable Fingerprint fingerprint() {
    String request = step.request();
    return request == null ? null : Fingerprint.of(request);
  }

  /** Only updates are identified by the work that made them. */
  @Nullable String origin() {
    if (step.effect().kind() != Kind.UPDATE) {
      return null;
    }
    Step at = step.step();
    String item = at.item() == null ? "" : at.item();
    byte[] hash =
        at.round() == null
            ? Digest.ofParts(who.flow(), who.key(), who.input().hex(), at.name(), item)
            : Digest.ofParts(
                who.flow(), who.key(), who.input().hex(), at.name(), item, "" + at.round());
    return Digest.base32(hash, 16);
  }
}
