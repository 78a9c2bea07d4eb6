package dev.hapax.effect;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Guard;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Kind;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.StepFailed;
import dev.hapax.json.Digest;
import dev.hapax.json.Text;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.EffectClaim;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectState;
import dev.hapax.run.Failure;
import dev.hapax.run.Fingerprint;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import dev.hapax.store.Change;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One effect on its way from claim to settlement. The intent of every attempt is durable before its
 * first byte leaves. A crash between the two leaves an attempt in flight, which the guard's rule
 * settles; the other order would lose the only trace of a charge that was sent.
 */
final class EffectCourse {
  private final Store store;
  private final Clock clock;
  private final IdSource ids;
  private final OpenAttempts open;
  private final Interceptor interceptor;
  private final Instant timesKnownAfter;
  private final EffectStep step;
  private final RunPort run;
  private final Effect.Terms terms;
  private final RetrySchedule schedule;

  EffectCourse(EffectLedger.Parts parts, EffectStep step, RunPort run) {
    this.store = parts.store();
    this.clock = parts.clock();
    this.ids = parts.ids();
    this.open = parts.open();
    this.interceptor = parts.interceptor();
    this.timesKnownAfter = parts.timesKnownAfter();
    this.step = step;
    this.run = run;
    this.terms = step.effect().terms();
    this.schedule = new RetrySchedule(terms.retry(), parts.random());
  }

  @Nullable String follow(@Nullable EffectProgress found) {
    return found == null ? claim() : goOn(found);
  }

  private @Nullable String claim() {
    RunPort.Identity who = run.identity();
    var key = step.key(who.tenant(), who.flow(), who.id());
    var effect = step.effect();
    Instant now = clock.now();
    long number = ids.next();
    String origin = origin();
    var claim =
        new EffectClaim(
            number,
            key,
            effect.kind(),
            step.guard().word(),
            who.run(),
            step.step(),
            fingerprint(),
            step.request(),
            effect.version(),
            origin,
            now);
    var entry =
        new JournalEntry.Claimed(
            step.step(),
            number,
            key.name(),
            key.key(),
            effect.kind(),
            step.guard().word(),
            origin,
            effect.compensation() == null ? null : true);
    return switch ((ClaimAnswer) run.ask(entry, question(claim))) {
      case ClaimAnswer.Granted granted ->
          checkAndSend(EffectProgress.granted(entry, granted.effect(), granted.revision(), now));
      case ClaimAnswer.Reused reused -> reused.output();
      case ClaimAnswer.Held held
          when held.byRun().equals(who.id().toString()) && !run.isBesideOthers() ->
          throw run.mismatch(
              step.step(),
              "its journal holds effect %s under way in another step than %s"
                  .formatted(key, step.step()));
      case ClaimAnswer.Held _ -> throw run.park(RunStatus.WAITING, null);
      case ClaimAnswer.Conflict conflict -> throw failed(EffectConflict.failure(entry, conflict));
      case ClaimAnswer.Abandoned abandoned -> {
        var progress =
            EffectProgress.abandoned(
                entry, abandoned.effect(), abandoned.revision(), abandoned.attempts(), now);
        throw review(progress, "an earlier run gave it up in doubt; it may have happened");
      }
      case ClaimAnswer.ReviewFirst _ -> throw run.park(RunStatus.REVIEW, null);
      case ClaimAnswer.Overtaken _ -> null;
      case ClaimAnswer.Refused _ -> throw lookAgain();
    };
  }

  private Change question(EffectClaim claim) {
    var undoing = step.undoing();
    return undoing == null ? new Change.Claim(claim) : new Change.Undo(undoing.wish(claim));
  }

  /**
   * From where the journal left it: the process died, the run was woken, or a person has settled
   * it.
   */
  private @Nullable String goOn(EffectProgress progress) {
    if (progress.inReview()) {
      throw run.park(RunStatus.REVIEW, null);
    }
    if (progress.inFlight()) {
      return doubt(
          progress,
          "the process ended while attempt %d was in flight".formatted(progress.attempt()),
          null);
    }
    if (progress.ambiguous()) {
      return settleDoubt(progress);
    }
    if (run.isStopping()) {
      throw giveUp(
          progress, Failure.of("canceled", "the run was stopped while it backed off", true));
    }
    return attemptAgain(progress);
  }

  private @Nullable String checkAndSend(EffectProgress progress) {
    if (step.guard() instanceof Guard.Lookup lookup) {
      switch (lookUp(lookup, progress)) {
        case AnswerMeaning.Done done -> {
          return done(progress, done.output(), JournalEntry.EffectDone.FOUND_BEFORE_SENDING);
        }
        case AnswerMeaning.Ambiguous unreadable -> {
          return notApplied(
              progress, "the lookup before sending failed: " + unreadable.evidence(), null);
        }
        default -> {}
      }
    }
    return send(progress);
  }

  private @Nullable String attemptAgain(EffectProgress progress) {
    waitUntil(progress.retryAt());
    int next = progress.attempt() + 1;
    var entry = new JournalEntry.Attempted(step.step(), progress.revision(), next);
    var attempt =
        new Change.Attempt(progress.effect(), progress.revision(), next, step.undoing() != null);
    if (run.ask(entry, attempt) instanceof ClaimAnswer.Refused) {
      giveUp(
          progress, Failure.of("canceled", "the run was canceled before the next attempt", true));
      throw lookAgain();
    }
    return checkAndSend(progress.attempted(next));
  }

  /** The run is to be canceled. This pass may not have heard of it yet; the next one will. */
  private Unwind lookAgain() {
    return run.park(RunStatus.WAITING, clock.now());
  }

  private @Nullable String sendAgain(EffectProgress progress) {
    waitUntil(progress.retryAt());
    int next = progress.attempt() + 1;
    run.add(
        new JournalEntry.SentAgain(step.step(), progress.revision(), next),
        effect(progress, EffectState.DOUBT).attempt(next).change());
    run.commit();
    if (!(ruleFor(progress, clock.now()) instanceof DoubtRule.SendAgain)) {
      return settleDoubt(progress.attempted(next).inDoubt(null)); // the window closed meanwhile
    }
    return send(progress.attempted(next));
  }

  private @Nullable String send(EffectProgress progress) {
    String wireKey = wireKey(progress);
    String request = storedRequest(progress);
    Attempt attempt =
        open.start(
            progress.effect(),
            "hapax-attempt " + progress.claim().name(),
            () ->
                new AnswerMeaning.Done(
                    interceptor.send(
                        sending(progress, wireKey), () -> step.sender().send(wireKey, request))));
    AnswerMeaning answer = attempt.await(terms.timeout());
    if (answer == null) {
      attempt.interrupt();
      answer =
          new AnswerMeaning.Ambiguous(
              "attempt %d had not returned after %s"
                  .formatted(progress.attempt(), terms.timeout()));
    }
    return hear(progress, answer);
  }

  private Interceptor.Sending sending(EffectProgress progress, String wireKey) {
    RunPort.Identity who = run.identity();
    return new Interceptor.Sending(
        who.id().toString(),
        who.flow(),
        step.step().name(),
        step.step().item(),
        progress.claim().name(),
        progress.claim().key(),
        wireKey,
        step.guard().word(),
        progress.attempt());
  }

  /**
   * An answer speaks only for its own attempt: after an ambiguous one, only "done" settles the
   * revision.
   */
  private @Nullable String hear(EffectProgress progress, AnswerMeaning answer) {
    return switch (answer) {
      case AnswerMeaning.Done done -> done(progress, done.output(), "answered");
      case AnswerMeaning.DoneUnreadable unreadable -> throw review(progress, unreadable.evidence());
      case AnswerMeaning.Nothing nothing when progress.ambiguous() ->
          doubt(
              progress,
              "attempt %d was not applied (%s), an earlier one may have been"
                  .formatted(progress.attempt(), nothing.evidence()),
              nothing.retryAfter());
      case AnswerMeaning.Nothing nothing ->
          notApplied(progress, nothing.evidence(), nothing.retryAfter());
      case AnswerMeaning.Refusal refusal when progress.ambiguous() ->
          doubt(
              progress,
              "attempt %d was refused (%s: %s), which says nothing about an earlier one"
                  .formatted(progress.attempt(), refusal.code(), refusal.evidence()),
              null);
      case AnswerMeaning.Refusal refusal ->
          throw giveUp(progress, Failure.of(refusal.code(), refusal.evidence(), false));
      case AnswerMeaning.Ambiguous ambiguous -> doubt(progress, ambiguous.evidence(), null);
    };
  }

  private String done(EffectProgress progress, String output, String decision) {
    open.forget(progress.effect());
    String kept = run.keep(output);
    settle(
        new JournalEntry.EffectDone(
            step.step(), progress.revision(), progress.attempt(), kept, null, decision),
        effect(progress, EffectState.DONE).result(kept));
    return output;
  }

  private @Nullable String notApplied(
      EffectProgress progress, String evidence, @Nullable Duration retryAfter) {
    Instant now = clock.now();
    Instant next = schedule.next(progress, now, retryAfter);
    if (next == null) {
      throw giveUp(
          progress,
          Failure.of(
              "not-applied",
              "nothing happened in %d attempts, the last one: %s"
                  .formatted(progress.attempt(), evidence),
              true));
    }
    if (run.isStopping()) {
      throw giveUp(
          progress, Failure.of("canceled", "the run was stopped while it backed off", true));
    }
    open.forgetIfOver(progress.effect());
    run.add(
        new JournalEntry.NotApplied(
            step.step(), progress.revision(), progress.attempt(), evidence, next));
    return attemptAgain(progress.notApplied(next));
  }

  /** Final, and nothing happened. */
  private StepFailed giveUp(EffectProgress progress, Failure failure) {
    open.forget(progress.effect());
    Failure here = failure.at(step.step());
    settle(
        new JournalEntry.EffectFailed(step.step(), progress.revision(), progress.attempt(), here),
        effect(progress, EffectState.FAILED).evidence(failure.message()));
    return failed(here);
  }

  private @Nullable String doubt(
      EffectProgress progress, String evidence, @Nullable Duration retryAfter) {
    Instant now = clock.now();
    return switch (ruleFor(progress, now)) {
      case DoubtRule.SendAgain again -> {
        Instant next =
            isRecovered(progress)
                ? atOnce(progress, now)
                : schedule.next(progress, now, retryAfter);
        if (next == null) {
          throw review(progress, evidence + "; the retries have ended");
        }
        noteDoubt(progress, evidence, again.because(), next);
        yield settleDoubt(progress.inDoubt(next));
      }
      case DoubtRule.LookUpAfter _ -> {
        noteDoubt(progress, evidence, "a lookup tells", null);
        yield settleDoubt(progress.inDoubt(null));
      }
      case DoubtRule.Review review -> throw review(progress, evidence + "; " + review.because());
      case DoubtRule.Skip _ -> skip(progress, evidence);
    };
  }

  /**
   * A crash is no sign against the destination, and time that passed while nobody was there does
   * not count.
   */
  private @Nullable Instant atOnce(EffectProgress progress, Instant now) {
    return progress.attemptsInBudget() < terms.retry().attempts() ? now : null;
  }

  private @Nullable String settleDoubt(EffectProgress progress) {
    return switch (ruleFor(progress, clock.now())) {
      case DoubtRule.SendAgain again -> {
        var late = again.whileOpen() ? null : awaitReturn(progress);
        yield late != null ? done(progress, late.output(), "answered late") : sendAgain(progress);
      }
      case DoubtRule.LookUpAfter rule -> {
        var late = awaitReturn(progress);
        yield late != null
            ? done(progress, late.output(), "answered late")
            : settleByLookup(progress, rule);
      }
      case DoubtRule.Review review -> throw review(progress, review.because());
      case DoubtRule.Skip _ -> skip(progress, "in doubt");
    };
  }

  private @Nullable String settleByLookup(EffectProgress progress, DoubtRule.LookUpAfter rule) {
    waitUntil(progress.retryAt());
    Duration rest = open.restOf(progress.effect(), rule.settle());
    Instant now = clock.now();
    switch (lookUp(rule.lookup(), progress)) {
      case AnswerMeaning.Done found -> {
        return done(progress, found.output(), "found by lookup");
      }
      case AnswerMeaning.Ambiguous failed -> {
        // A read harms nobody, so only time in which somebody could ask counts.
        if (open.restOf(progress.effect(), terms.retry().within()).isZero()) {
          throw review(progress, "the lookup fails: " + failed.evidence());
        }
        Instant next = now.plus(schedule.delay(progress));
        noteDoubt(progress, "the lookup failed: " + failed.evidence(), "looked up again", next);
        throw run.park(RunStatus.WAITING, next);
      }
      default -> {}
    }
    if (!rest.isZero()) {
      // Not found yet proves nothing: the attempt's bytes may still be under way.
      throw run.park(RunStatus.WAITING, now.plus(rest).plusMillis(1));
    }
    run.add(
        new JournalEntry.ProvenAbsent(
            step.step(),
            progress.revision(),
            progress.attempt(),
            "not found after " + rule.settle()),
        effect(progress, EffectState.PENDING).change());
    return retryAbsent(progress.absent());
  }

  private @Nullable String retryAbsent(EffectProgress progress) {
    if (run.isStopping()) {
      throw giveUp(
          progress, Failure.of("canceled", "the run was stopped; it did not happen", true));
    }
    if (schedule.isSpent(progress, clock.now())) {
      throw giveUp(
          progress,
          Failure.of(
              "not-applied",
              "it did not happen in %d attempts".formatted(progress.attempt()),
              true));
    }
    open.forget(progress.effect());
    return attemptAgain(progress);
  }

  private @Nullable String skip(EffectProgress progress, String evidence) {
    open.forget(progress.effect());
    settle(
        new JournalEntry.Skipped(step.step(), progress.revision(), progress.attempt(), evidence),
        effect(progress, EffectState.ABANDONED).evidence(evidence));
    return null;
  }

  /** Its end; that of an undo is in the same commit an end of what it undoes. */
  private void settle(JournalEntry entry, EffectChange end) {
    var undoing = step.undoing();
    if (undoing == null) {
      run.add(entry, end.change());
    } else {
      run.add(entry, end.change(), undoing.after(end.state()));
    }
  }

  private Unwind review(EffectProgress progress, String evidence) {
    open.forgetIfOver(progress.effect());
    run.add(
        new JournalEntry.InReview(step.step(), progress.revision(), progress.attempt(), evidence),
        effect(progress, EffectState.REVIEW).evidence(evidence).change());
    return run.park(RunStatus.REVIEW, null);
  }

  private void noteDoubt(
      EffectProgress progress, String evidence, String decision, @Nullable Instant next) {
    run.add(
        new JournalEntry.InDoubt(
            step.step(), progress.revision(), progress.attempt(), evidence, decision, next),
        effect(progress, EffectState.DOUBT).evidence(evidence).change());
  }

  /**
   * Until an attempt has returned it may still arrive, so nothing that it could collide with may
   * begin.
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
        throw review(
            progress,
            "attempt %d or one before it has not returned within %s, so it may still happen"
                .formatted(progress.attempt(), terms.retry().within()));
      }
      answered = late instanceof AnswerMeaning.Done done ? done : answered;
    }
    return answered;
  }

  private AnswerMeaning lookUp(Guard.Lookup lookup, EffectProgress progress) {
    String wireKey = wireKey(progress);
    Attempt read =
        open.read(
            "hapax-lookup " + progress.claim().name(),
            () -> {
              Optional<?> found;
              try {
                found = lookup.by().find(wireKey);
              } catch (NotApplied e) { // not asked is not "not found"
                return new AnswerMeaning.Ambiguous(Text.storable(String.valueOf(e.getMessage())));
              }
              return found.isPresent()
                  ? new AnswerMeaning.Done(Payload.write(found.get()))
                  : new AnswerMeaning.Nothing("not found", null);
            });
    AnswerMeaning answer = read.await(terms.timeout());
    if (answer == null) {
      read.interrupt();
      return new AnswerMeaning.Ambiguous("it had not returned after " + terms.timeout());
    }
    return switch (answer) {
      case AnswerMeaning.Refusal refusal -> new AnswerMeaning.Ambiguous(refusal.evidence());
      case AnswerMeaning.DoneUnreadable unreadable ->
          new AnswerMeaning.Ambiguous(unreadable.evidence());
      default -> answer;
    };
  }

  private void waitUntil(@Nullable Instant time) {
    if (time != null && clock.now().isBefore(time)) {
      throw run.park(RunStatus.WAITING, time);
    }
  }

  private DoubtRule ruleFor(EffectProgress progress, Instant now) {
    Instant sentAt = progress.firstSentAt();
    boolean isKnown = sentAt.isAfter(timesKnownAfter);
    return DoubtRule.ruleFor(step.guard(), isKnown ? sentAt : Instant.EPOCH, terms.timeout(), now);
  }

  /** Whether its last attempt belonged to a process that is gone. */
  private boolean isRecovered(EffectProgress progress) {
    return progress.inFlight() && open.of(progress.effect()) == null;
  }

  /**
   * The bytes that the intent stored, never newly rendered ones; a first attempt has just stored
   * them.
   */
  private @Nullable String storedRequest(EffectProgress progress) {
    if (step.request() == null || progress.attempt() == 1) {
      return step.request();
    }
    EffectRecord row = store.effect(progress.effect());
    return row == null ? step.request() : row.request();
  }

  private String wireKey(EffectProgress progress) {
    RunPort.Identity who = run.identity();
    return step.key(who.tenant(), who.flow(), who.id()).onWire(progress.revision());
  }

  private @Nullable Fingerprint fingerprint() {
    String request = step.request();
    return request == null ? null : Fingerprint.of(request);
  }

  /** Only updates are remembered by the work that made them. */
  private @Nullable String origin() {
    if (step.effect().kind() != Kind.UPDATE) {
      return null;
    }
    RunPort.Identity who = run.identity();
    Step at = step.step();
    String item = at.item() == null ? "" : at.item();
    byte[] hash =
        at.round() == null
            ? Digest.ofParts(who.flow(), who.key(), who.input().hex(), at.name(), item)
            : Digest.ofParts(
                who.flow(), who.key(), who.input().hex(), at.name(), item, "" + at.round());
    return Digest.base32(hash, 16);
  }

  private EffectChange effect(EffectProgress progress, EffectState state) {
    String origin = state == EffectState.DONE ? origin() : null;
    return new EffectChange(progress, state, origin);
  }

  private StepFailed failed(Failure failure) {
    Step at = step.step();
    return new StepFailed(
        failure.code(), failure.message(), at.name(), at.item(), failure.retryable());
  }
}
