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
 * Which waits a run, or an item of its loops, has in the store: filled from its journal, then by
 * what it writes. Safe for the run's fibers.
 */
final class WaitBook {
  private final Map<Step, Long> callbacks = new HashMap<>();
  private final Set<Long> open = new HashSet<>();
  // Of later rounds alone: there it decides which token went out.
  private final Set<Step> reused = new HashSet<>();
  private final Set<String> alerts = new HashSet<>();
  private boolean hasLoops;
  private final Map<Step, Trail> trails = new HashMap<>();

  /** In what a token of a later round may have left. */
  private static final class Trail {
    private final String token;
    private boolean wasSent;
    private boolean wasReused;

    Trail(String token) {
      this.token = token;
    }
  }

  /** For one pass, which follows tokens anew. */
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

  /** What has expired counts as open: a retry opens it again, and may not come to its step. */
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

  /** Whether people were told by this message. */
  synchronized boolean wasTold(String message) {
    return alerts.contains(message);
  }

  /** The wait of this callback; null if none was opened. */
  synchronized @Nullable Long callback(Step step) {
    return callbacks.get(step);
  }

  /** In a later round: which effects of it may have carried the token is noted from now on. */
  synchronized void follow(Step callback, String token) {
    trails.computeIfAbsent(callback, _ -> new Trail(token));
  }

  /** Whether it matters what became of this effect. */
  synchronized boolean isFollowed(Step effect) {
    return effect.round() != null && !trails.isEmpty();
  }

  /**
   * An effect of a later round has come to its end.
   *
   * @param request what it sent; null if nobody can tell, so that it may have held any token
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
   * The wait whose token went out: when the effect that was to carry this round's token was reused,
   * the world knows only an earlier one, and its answer counts.
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
   * Whether the store may hold one that nobody has decided. The items of a loop have books of their
   * own, which are gone when they have ended.
   */
  synchronized boolean hasOpen() {
    return hasLoops || !open.isEmpty();
  }
}
