package dev.hapax.effect;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Step;
import dev.hapax.json.Digest;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.store.Change;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An effect that a run wants to do, in the terms of the ledger. */
public record EffectIntent(EffectStep step, RunPort.Identity who) {

  public EffectKey key() {
    return step.key(who.tenant(), who.flow(), who.id());
  }

  public String wireKey(int revision) {
    return key().onWire(revision);
  }

  /**
   * Returns the change that claims the key; an undo claims its target too.
   *
   * @param replay what a replay of the run says about it; null if there was none
   */
  Change question(long number, Instant now, @Nullable ReplayClaim replay) {
    EffectClaim claim = claim(number, now, step.undoing() == null ? replay : null);
    var undoing = step.undoing();
    return undoing == null ? new Change.Claim(claim) : new Change.Undo(undoing.wish(claim));
  }

  /** The claim of the key. */
  public EffectClaim claim(long number, Instant now, @Nullable ReplayClaim replay) {
    var effect = step.effect();
    return new EffectClaim(
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
        step.onRework(),
        replay);
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

  /** Of the request; null if the effect gives none. */
  public @Nullable Fingerprint fingerprint() {
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
