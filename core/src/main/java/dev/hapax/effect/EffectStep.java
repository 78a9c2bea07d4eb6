package dev.hapax.effect;

import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Guard;
import dev.hapax.flow.Kind;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import dev.hapax.json.Text;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.UndoClaim;
import dev.hapax.store.Change;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An effect in its place in a run.
 *
 * @param request JSON text of what is to be sent, if the contract gives it
 * @param sender called with the wire key and the stored request; returns JSON text
 * @param undoing what it undoes; null for what a flow sends
 * @param onRework what the run's own effect with other content leads to
 */
public record EffectStep(
    Step step,
    Effect<?> effect,
    @Nullable String request,
    Sender sender,
    @Nullable Undoing undoing,
    OnRework onRework) {

  public EffectStep(Step step, Effect<?> effect, @Nullable String request, Sender sender) {
    this(step, effect, request, sender, null, effect.onRework());
  }

  /** A step that undoes another one. */
  public static EffectStep undo(Step step, Effect<?> effect, Sender sender, Undoing what) {
    return new EffectStep(step, effect, null, sender, what, OnRework.REUSE);
  }

  /**
   * The same step after its earlier revision was to be undone. If a person has left that one done,
   * it is reused.
   */
  public EffectStep afterUndo() {
    return new EffectStep(step, effect, request, sender, undoing, OnRework.REUSE);
  }

  /** An effect that is to be undone; see {@link UndoClaim}. */
  public record Undoing(long target, int revision, int top, @Nullable String doubt) {
    UndoClaim wish(EffectClaim claim) {
      return new UndoClaim(claim, target, revision, top, doubt);
    }

    /** Returns the change of the target when its undo has ended like this. */
    public Change.AfterUndo after(EffectState undo) {
      EffectState before = revision == top ? EffectState.DONE : EffectState.UNDONE;
      return new Change.AfterUndo(
          target, top, undo == EffectState.DONE ? EffectState.UNDONE : before);
    }
  }

  /** Sends once. {@link AnswerMeaning} interprets its exceptions. */
  @FunctionalInterface
  public interface Sender {
    String send(String wireKey, @Nullable String request) throws Exception;
  }

  Guard guard() {
    return effect.guard();
  }

  /**
   * Returns the destination's id in this result; null if it has none, or none that can be read. The
   * effect happened in any case.
   */
  @Nullable String externalId(String output) {
    Effect.ExternalId<?> asked = effect.externalId();
    if (asked == null || output.equals("null")) {
      return null;
    }
    try {
      String id = asked.in(output);
      return id == null || id.isEmpty() ? null : Text.storable(id);
    } catch (RuntimeException e) { // of the flow's own code
      return null;
    }
  }

  /** The name in the ledger: the contract's own, or flow and step. */
  String name(String flow) {
    return name(effect, step, flow);
  }

  public static String name(Effect<?> effect, Step step, String flow) {
    String given = effect.terms().name();
    return given != null ? given : flow + "/" + step.name();
  }

  /** How long after its run's end the effect may still be sent again. */
  Duration rememberedFor() {
    return guard().rememberedFor(effect.terms().retry().within());
  }

  EffectKey key(String tenant, String flow, RunId run) {
    return new EffectKey(
        tenant, name(flow), effect.key(), effect.kind() == Kind.ADDITIVE ? run : null);
  }

  /** How this differs from what the journal says was claimed; null if it does not. */
  public @Nullable String differenceFrom(EffectEntry.Claimed claim, String flow) {
    String name = name(flow);
    if (!name.equals(claim.name()) || !effect.key().equals(claim.key())) {
      return "its journal claims effect '%s' '%s' in step %s, but the code now asks for '%s' '%s'"
          .formatted(claim.name(), claim.key(), step, name, effect.key());
    }
    if (effect.kind() != claim.kind() || !guard().word().equals(claim.guard())) {
      return "its journal claims step %s as %s with guard '%s', but the code now makes it %s with guard '%s'"
          .formatted(step, claim.kind(), claim.guard(), effect.kind(), guard().word());
    }
    return null;
  }
}
