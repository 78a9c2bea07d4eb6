package dev.hapax.engine;

import dev.hapax.run.Answer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Step;
import dev.hapax.run.Wait;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waits that a run, or an item of its loops, has in the store. It is filled from the journal,
 * and then by what the run writes. Safe for the run's fibers.
 */
final class WaitBook {
  private final Map<Step, Long> callbacks = new HashMap<>();
  private final Set<Long> open = new HashSet<>();
  // Of later rounds alone: there it decides which token went out.
  private final Set<Step> reused = new HashSet<>();
  private final Set<String> alerts = new HashSet<>();
  private boolean hasLoops;
  private final Map<Step, Trail> trails = new HashMap<>();

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
    copy.open.addAll(open);
    copy.reused.addAll(reused);
    copy.alerts.addAll(alerts);
    copy.hasLoops = hasLoops;
    return copy;
  }

  synchronized void note(JournalEntry entry) {
    switch (entry) {
      case JournalEntry.CallbackOpened(var step, long number) -> opened(step, number);
      case JournalEntry.CallbackAwaited(var step, long number, _) -> opened(step, number);
      case JournalEntry.ApprovalAsked asked -> open.add(asked.number());
      case JournalEntry.WaitSettled settled -> settled(settled);
      case JournalEntry.Alerted alerted -> alerts.add(alerted.message());
      case JournalEntry.LoopStarted _ -> hasLoops = true;
      default -> {}
    }
  }

  private void opened(Step step, long number) {
    callbacks.put(step, number);
    open.add(number);
  }

  /** An expired wait counts as open: a retry opens it again, and may not reach its step. */
  private void settled(JournalEntry.WaitSettled settled) {
    if (settled.state() == Wait.State.DECIDED) {
      open.remove(settled.number());
    }
  }

  synchronized void note(JournalEntry.Claimed claim, Answer answer) {
    if (answer instanceof ClaimAnswer.Reused && claim.step().round() != null) {
      reused.add(claim.step());
    }
  }

  /** Whether people were alerted by this message. */
  synchronized boolean wasTold(String message) {
    return alerts.contains(message);
  }

  /** The wait of this callback; null if none was opened. */
  synchronized @Nullable Long callback(Step step) {
    return callbacks.get(step);
  }

  /** In a later round: notes from now on which effects may have carried the token. */
  synchronized void follow(Step callback, String token) {
    trails.computeIfAbsent(callback, _ -> new Trail(token));
  }

  /** Whether the outcome of this effect matters. */
  synchronized boolean isFollowed(Step effect) {
    return effect.round() != null && !trails.isEmpty();
  }

  /**
   * An effect of a later round has ended.
   *
   * @param request what it sent; null if that is unknown, so that it may have held any token
   */
  synchronized void sawEffect(Step effect, @Nullable String request) {
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
  synchronized long handedOut(Step callback, long own) {
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
  synchronized boolean hasOpen() {
    return hasLoops || !open.isEmpty();
  }
}
