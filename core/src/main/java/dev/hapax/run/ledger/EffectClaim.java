package dev.hapax.run.ledger;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run's claim to send an effect: the intent of the first attempt. The store answers it in the
 * commit that carries it.
 *
 * @param number for the ledger row, if this claim makes one
 * @param origin identifies a rerun of the same work: a hash of flow, run key, input, step and item
 * @param appliesTies whether other content under an equal version is sent; otherwise it is a
 *     conflict
 * @param onRework what the run's own effect with other content leads to
 * @param replay what a replay of the run allows; null if the run was never replayed
 */
public record EffectClaim(
    long number,
    EffectKey key,
    Kind kind,
    String guard,
    long run,
    Step step,
    @Nullable Fingerprint fingerprint,
    @Nullable String request,
    @Nullable ObjectVersion version,
    @Nullable String origin,
    Instant at,
    boolean appliesTies,
    OnRework onRework,
    @Nullable ReplayClaim replay) {

  /** A claim that refuses other content under an equal version, and reuses the run's own. */
  public EffectClaim(
      long number,
      EffectKey key,
      Kind kind,
      String guard,
      long run,
      Step step,
      @Nullable Fingerprint fingerprint,
      @Nullable String request,
      @Nullable ObjectVersion version,
      @Nullable String origin,
      Instant at) {
    this(
        number,
        key,
        kind,
        guard,
        run,
        step,
        fingerprint,
        request,
        version,
        origin,
        at,
        false,
        OnRework.REUSE,
        null);
  }

  /** A claim of a run that was never replayed. */
  public EffectClaim(
      long number,
      EffectKey key,
      Kind kind,
      String guard,
      long run,
      Step step,
      @Nullable Fingerprint fingerprint,
      @Nullable String request,
      @Nullable ObjectVersion version,
      @Nullable String origin,
      Instant at,
      boolean appliesTies,
      OnRework onRework) {
    this(
        number,
        key,
        kind,
        guard,
        run,
        step,
        fingerprint,
        request,
        version,
        origin,
        at,
        appliesTies,
        onRework,
        null);
  }

  /** Whether this revision may be sent; a replay sends only what its plan has. */
  public boolean maySend(int revision) {
    return replay == null || replay.maySend(revision, fingerprint);
  }

  /** Says what of this revision the plan of a replay does not have. */
  public ClaimAnswer.NotPlanned notPlanned(int revision) {
    String planned = replay == null ? null : replay.otherRequest(revision);
    return new ClaimAnswer.NotPlanned(
        revision, planned, planned == null || fingerprint == null ? null : fingerprint.hex());
  }

  /** The ledger row of a first claim. */
  public EffectRecord granted() {
    return new EffectRecord(
        number,
        key,
        kind,
        guard,
        EffectState.PENDING,
        1,
        run,
        step,
        1,
        fingerprint,
        request,
        version,
        null,
        null,
        at,
        null,
        null);
  }
}
