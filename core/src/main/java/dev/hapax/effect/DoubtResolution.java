package dev.hapax.effect;

import dev.hapax.flow.DoubtRule;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Resolves an effect that was sent and whose outcome is unknown. */
final class DoubtResolution {
  private final EffectExecution execution;
  private final Clock clock;
  private final OpenAttempts open;
  private final Instant timesKnownAfter;
  private final EffectStep step;
  private final RunPort run;
  private final Effect.Terms terms;
  private final RetrySchedule schedule;
  private final EffectNotes notes;
  private final OutsideCalls outside;
  private final Access access;

  DoubtResolution(
      EffectExecution execution, EffectLedger.Parts parts, EffectStep step, RunPort run) {
    this.execution = execution;
    this.clock = parts.clock();
    this.open = parts.open();
    this.timesKnownAfter = parts.timesKnownAfter();
    this.step = step;
    this.run = run;
    this.terms = step.effect().terms();
    this.schedule = execution.schedule();
    this.notes = execution.notes();
    this.outside = execution.outside();
    this.access = execution.access();
  }

  /** Begins a doubt because the last attempt, or an earlier one, was ambiguous. */
  @Nullable String begin(EffectProgress progress, String evidence, @Nullable Duration retryAfter) {
    return begin(progress, evidence, retryAfter, null);
  }

  /** Begins a doubt because an attempt may have been made and lost. */
  @Nullable String beginLost(EffectProgress progress, String evidence, Failover lost) {
    Instant since = lost.lostSince();
    return begin(progress.sentSince(since), evidence, null, since);
  }

  private @Nullable String begin(
      EffectProgress progress,
      String evidence,
      @Nullable Duration retryAfter,
      @Nullable Instant sentSince) {
    var late = open.answered(progress.effect(), progress.revision());
    if (late != null) {
      return notes.done(progress, late.output(), "answered late");
    }
    Instant now = clock.now();
    return switch (ruleFor(progress, now)) {
      case DoubtRule.SendAgain again -> {
        Instant next =
            isRecovered(progress)
                ? atOnce(progress, now)
                : schedule.next(progress, now, retryAfter);
        if (next == null) {
          throw notes.review(progress, evidence + "; no retries are left");
        }
        notes.doubt(progress, evidence, again.because(), next, sentSince);
        yield settle(progress.inDoubt(next));
      }
      case DoubtRule.LookUpAfter _ -> {
        notes.doubt(progress, evidence, "a lookup settles it", null, sentSince);
        yield settle(progress.inDoubt(null));
      }
      case DoubtRule.Review review ->
          throw notes.review(progress, evidence + "; " + review.because());
      case DoubtRule.Skip _ -> notes.skip(progress, evidence);
    };
  }

  /** Whether its last attempt belonged to a process that is gone. */
  private boolean isRecovered(EffectProgress progress) {
    return progress.inFlight() && open.of(progress.effect()) == null;
  }

  /** A crash is not the destination's fault, and time without a process does not count. */
  private @Nullable Instant atOnce(EffectProgress progress, Instant now) {
    return progress.attemptsInBudget() < terms.retry().attempts() ? now : null;
  }

  /** Settles the doubt by the guard's rule. */
  @Nullable String settle(EffectProgress progress) {
    return switch (ruleFor(progress, clock.now())) {
      case DoubtRule.SendAgain again -> {
        var late =
            again.whileOpen()
                ? open.answered(progress.effect(), progress.revision())
                : awaitReturn(progress);
        yield late != null
            ? notes.done(progress, late.output(), "answered late")
            : sendAgain(progress);
      }
      case DoubtRule.LookUpAfter rule -> {
        var late = awaitReturn(progress);
        yield late != null
            ? notes.done(progress, late.output(), "answered late")
            : settleByLookup(progress, rule);
      }
      case DoubtRule.Review review -> throw notes.review(progress, review.because());
      case DoubtRule.Skip _ -> notes.skip(progress, "in doubt");
    };
  }

  private @Nullable String sendAgain(EffectProgress progress) {
    execution.waitUntil(progress.retryAt());
    access.await();
    outside.readRequest(progress);
    int next = progress.attempt() + 1;
    notes.sentAgain(progress, next);
    run.commit();
    if (!isToBeSentAgain(progress)) {
      access.leave();
      return settle(progress.attempted(next).inDoubt(null)); // the window closed meanwhile
    }
    return execution.send(progress.attempted(next), () -> isToBeSentAgain(progress));
  }

  /** Until its window closes. Safe for the thread of the attempt. */
  private boolean isToBeSentAgain(EffectProgress progress) {
    return ruleFor(progress, clock.now()) instanceof DoubtRule.SendAgain;
  }

  private @Nullable String settleByLookup(EffectProgress progress, DoubtRule.LookUpAfter rule) {
    execution.waitUntil(progress.retryAt());
    access.await();
    Duration rest = restOf(progress, rule.settle());
    Instant now = clock.now();
    AnswerMeaning answer = outside.lookUp(rule.lookup(), progress);
    access.leave();
    switch (answer) {
      case AnswerMeaning.Done found -> {
        return notes.done(progress, found.output(), "found by lookup");
      }
      case AnswerMeaning.Ambiguous failed -> {
        // A read does no harm, so only time in which a process could ask counts.
        if (restOf(progress, terms.retry().within()).isZero()) {
          throw notes.review(progress, "the lookup kept failing: " + failed.evidence());
        }
        Instant next = now.plus(schedule.delay(progress));
        notes.doubt(
            progress, "the lookup failed: " + failed.evidence(), "looked up again", next, null);
        throw run.park(RunStatus.WAITING, next);
      }
      case AnswerMeaning.NotCalled _ ->
          throw run.park(RunStatus.WAITING, now.plus(EffectExecution.UNTIL_STORE_ANSWERS));
      default -> {}
    }
    if (!rest.isZero()) {
      // Not found yet proves nothing: the attempt's bytes may still be under way.
      throw run.park(RunStatus.WAITING, now.plus(rest).plusMillis(1));
    }
    notes.absent(progress, "not found after " + rule.settle());
    return retryAbsent(progress.absent(clock.now()));
  }

  private Duration restOf(EffectProgress progress, Duration time) {
    return open.restOf(progress.effect(), progress.revision(), progress.attempt(), time);
  }

  private @Nullable String retryAbsent(EffectProgress progress) {
    if (run.isStopping()) {
      throw notes.giveUp(
          progress,
          Failure.of("canceled", "the effect did not happen before the run was stopped", true));
    }
    if (schedule.isSpent(progress, clock.now())) {
      throw notes.giveUp(
          progress,
          Failure.of(
              "not-applied",
              "the effect did not happen in %d attempts".formatted(progress.attempt()),
              true));
    }
    open.forget(progress.effect());
    return execution.attemptAgain(progress);
  }

  /**
   * Waits for attempts to return. Until then an attempt may still arrive, so nothing that it could
   * collide with may begin.
   */
  private AnswerMeaning.@Nullable Done awaitReturn(EffectProgress progress) {
    Attempt last = open.of(progress.effect());
    if (last != null && !last.isOver()) {
      run.commit(); // the doubt is on record while we wait
    }
    AnswerMeaning.Done answered = null;
    for (Attempt attempt = last; attempt != null; attempt = attempt.earlier()) {
      AnswerMeaning late = attempt.await(terms.retry().within());
      if (late == null) {
        throw notes.review(
            progress,
            "attempt %d or an earlier one has not returned within %s, so it may still happen"
                .formatted(progress.attempt(), terms.retry().within()));
      }
      if (attempt.isOf(progress.revision()) && late instanceof AnswerMeaning.Done done) {
        answered = done;
      }
    }
    return answered;
  }

  private DoubtRule ruleFor(EffectProgress progress, Instant now) {
    Instant sentAt = progress.firstSentAt();
    boolean isKnown = sentAt.isAfter(timesKnownAfter);
    return step.guard()
        .ruleFor(
            new DoubtRule.Doubt(
                progress.repeatTells(), isKnown ? sentAt : Instant.EPOCH, terms.timeout(), now));
  }
}
