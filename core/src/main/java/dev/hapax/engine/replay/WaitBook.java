package dev.hapax.engine.replay;

import dev.hapax.flow.Step;
import dev.hapax.flow.TokenKeys;
import dev.hapax.flow.WaitState;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.WaitEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waits that a run, or an item of its loops, has in the store. It is filled from the journal,
 * and then by what the run writes. Safe for the run's fibers.
 */
public final class WaitBook {
  private final Map<Step, Long> callbacks = new HashMap<>();
  private final Map<Step, Integer> keys = new HashMap<>();
  private final Map<Link, Integer> links = new HashMap<>();
  private final Set<Long> open = new HashSet<>();
  // Of later rounds alone: there it decides which token went out.
  private final Set<Step> reused = new HashSet<>();
  private final Set<String> alerts = new HashSet<>();
  private boolean hasLoops;
  private final Map<Step, Trail> trails = new HashMap<>();

  private record Link(Step step, @Nullable String approver) {}

  /** The effects of a later round that may have carried its token. */
  private static final class Trail {
    private final String token;
    private boolean wasSent;
    private boolean wasReused;

    Trail(String token) {
      this.token = token;
    }
  }

  /** Returns a copy for one pass, which follows tokens from the beginning. */
  synchronized WaitBook copy() {
    var copy = new WaitBook();
    copy.callbacks.putAll(callbacks);
    copy.keys.putAll(keys);
    copy.links.putAll(links);
    copy.open.addAll(open);
    copy.reused.addAll(reused);
    copy.alerts.addAll(alerts);
    copy.hasLoops = hasLoops;
    return copy;
  }

  synchronized void note(WaitEntry entry) {
    switch (entry) {
      case WaitEntry.CallbackOpened(var step, long number, var key) -> opened(step, number, key);
      case WaitEntry.CallbackAwaited(var step, long number, _, var key) ->
          opened(step, number, key);
      case WaitEntry.ApprovalLinked(var step, long number, var approver, var key) -> {
        links.put(new Link(step, approver), key == null ? TokenKeys.OF_STORE : key);
        open.add(number);
      }
      case WaitEntry.ApprovalAsked asked -> open.add(asked.number());
      case WaitEntry.WaitSettled settled -> settled(settled);
      case WaitEntry.WaitStarted _, WaitEntry.WaitEnded _ -> {} // the store has no row of it
    }
  }

  synchronized void note(LoopEntry entry) {
    switch (entry) {
      case LoopEntry.LoopStarted _ -> hasLoops = true;
      case LoopEntry.ItemEnded _, LoopEntry.LoopEnded _ -> {}
    }
  }

  synchronized void note(RunEntry entry) {
    switch (entry) {
      case RunEntry.Alerted alerted -> alerts.add(alerted.message());
      case RunEntry.Notified _,
          RunEntry.Retried _,
          RunEntry.Replayed _,
          RunEntry.CancelRequested _,
          RunEntry.TimedOut _,
          RunEntry.CompensationStarted _,
          RunEntry.Ended _,
          RunEntry.KeyForgotten _,
          RunEntry.ValuesErased _,
          RunEntry.Queued _,
          RunEntry.SlotGranted _,
          RunEntry.CodeMissing _,
          RunEntry.Quarantined _,
          RunEntry.Resumed _,
          RunEntry.TriedNow _,
          RunEntry.Occurred _,
          RunEntry.TurnAwaited _ -> {}
    }
  }

  private void opened(Step step, long number, @Nullable Integer key) {
    callbacks.put(step, number);
    if (key != null) {
      keys.put(step, key);
    }
    open.add(number);
  }

  /** An expired wait counts as open: a retry opens it again, and may not reach its step. */
  private void settled(WaitEntry.WaitSettled settled) {
    if (settled.state() == WaitState.DECIDED) {
      open.remove(settled.number());
    }
  }

  synchronized void note(EffectEntry.Claimed claim, Answer answer) {
    if (claim.step().round() == null) {
      return;
    }
    if (answer instanceof ClaimAnswer.Reused || answer instanceof ClaimAnswer.ReviewRework) {
      reused.add(claim.step());
    } else if (answer instanceof ClaimAnswer.Granted) {
      reused.remove(claim.step()); // a person decided that the new content is sent
    }
  }

  /** Whether people were alerted by this message. */
  public synchronized boolean wasTold(String message) {
    return alerts.contains(message);
  }

  /** The wait of this callback; null if none was opened. */
  public synchronized @Nullable Long callback(Step step) {
    return callbacks.get(step);
  }

  /** The version of the key that the token of this callback was made with. */
  public synchronized int keyOf(Step callback) {
    return keys.getOrDefault(callback, TokenKeys.OF_STORE);
  }

  /** The version of the key that this link was made with; null if there is no such link. */
  public synchronized @Nullable Integer keyOfLink(Step approval, @Nullable String approver) {
    return links.get(new Link(approval, approver));
  }

  /** In a later round: notes from now on which effects may have carried the token. */
  public synchronized void follow(Step callback, String token) {
    trails.computeIfAbsent(callback, _ -> new Trail(token));
  }

  /** Whether the outcome of this effect matters. */
  public synchronized boolean isFollowed(Step effect) {
    return effect.round() != null && !trails.isEmpty();
  }

  /**
   * An effect of a later round has ended.
   *
   * @param request what it sent; null if that is unknown, so that it may have held any token
   */
  public synchronized void sawEffect(Step effect, @Nullable String request) {
    boolean isReused = reused.contains(effect);
    trails.forEach(
        (callback, trail) -> {
          boolean carries = request == null || request.contains(trail.token);
          if (carries && callback.roundNumber() == effect.roundNumber()) {
            trail.wasSent |= !isReused;
            trail.wasReused |= isReused;
          }
        });
  }

  /**
   * Returns the wait whose token went out. If the effect that was to carry this round's token was
   * reused, the outside knows only an earlier token, and its answer counts.
   */
  public synchronized long handedOut(Step callback, long own) {
    Trail trail = trails.get(callback);
    if (trail == null || trail.wasSent || !trail.wasReused) {
      return own;
    }
    Long earlier = callbacks.get(callback.inRound(callback.roundNumber() - 1));
    return earlier == null ? own : earlier;
  }

  /**
   * Whether the store may hold an undecided wait. The items of a loop have their own books, which
   * are dropped when they have ended.
   */
  public synchronized boolean hasOpen() {
    return hasLoops || !open.isEmpty();
  }
}
