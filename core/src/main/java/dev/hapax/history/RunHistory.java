package dev.hapax.history;

import dev.hapax.flow.Kind;
import dev.hapax.run.Answer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.EffectKey;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.Step;
import dev.hapax.run.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns a run's journal into entries for people: every decision with its key, its evidence and its
 * reason.
 */
public final class RunHistory {
  private final Run run;
  private final List<HistoryEntry> entries = new ArrayList<>();
  private final Map<Step, EffectKey> keys = new HashMap<>();
  private final Map<Step, String> guards = new HashMap<>();
  private final Map<Step, Long> opened = new HashMap<>();
  private final CallHistory calls = new CallHistory();

  private RunHistory(Run run) {
    this.run = run;
  }

  /** Returns everything that happened in a run, from its whole journal. */
  public static List<HistoryEntry> of(Run run, List<JournalRow> journal) {
    return of(run, null, journal);
  }

  private static List<HistoryEntry> of(Run run, @Nullable RunId parent, List<JournalRow> journal) {
    var history = new RunHistory(run);
    history.add(
        history
            .line(run.createdAt(), "accepted")
            .key(run.key())
            .decision(
                "run %s on release %d%s"
                    .formatted(
                        run.id(),
                        run.release(),
                        parent == null ? "" : ", started by run " + parent)));
    for (JournalRow row : journal) {
      history.read(row);
    }
    return List.copyOf(history.entries);
  }

  /**
   * As above, with the answers that arrived after the run's waits were settled. They changed
   * nothing, and are in no journal, because their sender does not own the run.
   *
   * @param parent the run that started it; null if there is none, or if it is no longer kept
   */
  public static List<HistoryEntry> of(
      Run run,
      @Nullable RunId parent,
      List<JournalRow> journal,
      List<Wait> waits,
      List<Wait.LaterAnswer> laterAnswers) {
    var history = new RunHistory(run);
    history.entries.addAll(of(run, parent, journal));
    for (Wait.LaterAnswer later : laterAnswers) {
      for (Wait wait : waits) {
        if (wait.number() == later.number()) {
          history.add(history.late(wait, later));
        }
      }
    }
    return List.copyOf(history.entries);
  }

  private Line late(Wait wait, Wait.LaterAnswer later) {
    String by = later.by() == null ? "" : " by " + later.by();
    return line(later.at(), "answer-ignored")
        .step(wait.step())
        .state(wait.state().word())
        .decision("an answer%s changed nothing: the first decision stands".formatted(by))
        .evidence(later.decision());
  }

  private void read(JournalRow row) {
    ListIterator<Answer> answers = row.readAnswers().listIterator();
    for (JournalEntry entry : row.readEntries()) {
      add(read(entry, answers, row.at()));
    }
  }

  private Line read(JournalEntry entry, ListIterator<Answer> answers, Instant at) {
    return switch (entry) {
      case JournalEntry.StepDone e -> line(at, "step-done").step(e.step()).output(e.output());
      case JournalEntry.Branched e -> line(at, "branch").step(e.step()).branch(e.branch());
      case JournalEntry.StepFailed e -> line(at, "step-failed").step(e.step()).error(e.error());
      case JournalEntry.ReadFailed e ->
          line(at, "read-failed")
              .step(e.step())
              .attempt(e.attempt())
              .evidence(e.evidence())
              .until(e.retryAt());
      case JournalEntry.StepSettled e ->
          line(at, "step-settled")
              .step(e.step())
              .output(e.output())
              .decision("done by hand by " + e.actor())
              .evidence(e.reason());
      case JournalEntry.Claimed e -> readClaim(e, answers, at);
      case JournalEntry.Attempted e -> {
        boolean refused = answers.hasNext() && answers.next() instanceof ClaimAnswer.Refused;
        yield effect(at, refused ? "refused" : "intent", e.step(), e.revision())
            .attempt(e.attempt())
            .state("pending");
      }
      case JournalEntry.SentAgain e ->
          effect(at, "intent", e.step(), e.revision())
              .attempt(e.attempt())
              .state("doubt")
              .decision("sent again to settle the doubt");
      case JournalEntry.NotApplied e ->
          effect(at, "not-applied", e.step(), e.revision())
              .attempt(e.attempt())
              .state("pending")
              .evidence(e.evidence())
              .until(e.retryAt());
      case JournalEntry.InDoubt e ->
          effect(at, "doubt", e.step(), e.revision())
              .attempt(e.attempt())
              .state("doubt")
              .evidence(e.evidence())
              .decision(e.decision())
              .until(e.retryAt());
      case JournalEntry.ProvenAbsent e ->
          effect(at, "absent", e.step(), e.revision())
              .attempt(e.attempt())
              .state("pending")
              .evidence(e.evidence())
              .decision("proved not to have happened");
      case JournalEntry.InReview e ->
          effect(at, "review", e.step(), e.revision())
              .attempt(e.attempt())
              .state("review")
              .evidence(e.evidence());
      case JournalEntry.Settled e ->
          effect(at, "settled", e.step(), e.revision())
              .decision(e.decision().word() + " by " + e.actor())
              .evidence(e.reason())
              .externalId(e.externalId())
              .output(e.output());
      case JournalEntry.SettledTooLate e ->
          effect(at, "settled", e.step(), e.revision())
              .decision(
                  "%s by %s, too late: the effect's own answer counts"
                      .formatted(e.decision().word(), e.actor()))
              .evidence(e.reason());
      case JournalEntry.EffectDone e ->
          effect(at, "done", e.step(), e.revision())
              .attempt(e.attempt())
              .state("done")
              .decision(e.decision())
              .externalId(e.externalId())
              .output(e.output());
      case JournalEntry.EffectFailed e ->
          effect(at, "failed", e.step(), e.revision())
              .attempt(e.attempt())
              .state(e.givenUp() == null ? "failed" : "abandoned")
              .decision(
                  e.givenUp() == null
                      ? null
                      : "a mistake in the program; what it did before that may have happened")
              .error(e.error());
      case JournalEntry.Skipped e ->
          effect(at, "skipped", e.step(), e.revision())
              .attempt(e.attempt())
              .state("abandoned")
              .evidence(e.evidence())
              .decision("given up, as the flow says");
      case JournalEntry.LeftBehind e ->
          effect(at, "left-behind", e.step(), null)
              .effect(e.effect())
              .state("done")
              .decision(
                  "it was done before the retry, and the body no longer comes to it; it stays done. If the run is compensated, check it: it may have to be undone by hand");
      case JournalEntry.LoopStarted e ->
          line(at, "loop").step(e.step()).decision("%,d items".formatted(e.items()));
      case JournalEntry.ItemEnded e ->
          line(at, e.error() == null ? "item-done" : "item-failed").step(e.step()).error(e.error());
      case JournalEntry.LoopEnded e ->
          line(at, "loop-ended")
              .step(e.step())
              .decision("%,d items succeeded, %,d failed".formatted(e.succeeded(), e.failed()));
      case JournalEntry.WaitStarted e -> line(at, "wait").step(e.step()).until(e.until());
      case JournalEntry.WaitEnded e -> line(at, "wait-ended").step(e.step());
      case JournalEntry.Published e -> {
        Answer answer = answers.hasNext() ? answers.next() : null;
        yield answer instanceof ClaimAnswer.Refused
            ? refused(at).step(e.step()).key(e.message())
            : line(at, "published").step(e.step()).key(e.message()).decision(published(e, answer));
      }
      case JournalEntry.CallbackOpened e -> {
        opened.put(e.step(), e.number());
        yield line(at, "callback-opened").step(e.step());
      }
      case JournalEntry.CallbackAwaited e ->
          line(at, "callback-awaited")
              .step(e.step())
              .until(e.expiresAt())
              .decision(
                  isOfEarlierRound(e)
                      ? "its token went out only in an effect that was reused: the answer to the"
                          + " earlier round's token counts"
                      : null);
      case JournalEntry.ApprovalAsked e ->
          line(at, "approval-asked")
              .step(e.step())
              .until(e.expiresAt())
              .decision(
                  e.ask() + (e.roles().isEmpty() ? "" : " (" + String.join(", ", e.roles()) + ")"));
      case JournalEntry.WaitSettled e ->
          line(at, "wait-settled")
              .step(e.step())
              .state(e.state().word())
              .decision(e.by() == null ? null : "by " + e.by())
              .output(e.decision());
      case JournalEntry.Called e -> calls.called(line(at, "called"), e, answers.next());
      case JournalEntry.CallAwaited e ->
          calls.heard(line(at, "call-awaited"), e.step(), answers.next());
      case JournalEntry.CallRetried e ->
          calls.heard(line(at, "call-retried"), e.step(), answers.next());
      case JournalEntry.CallStopped e ->
          calls.heard(line(at, "call-stopped"), e.step(), answers.next());
      case JournalEntry.CallFailed e -> line(at, "call-failed").step(e.step()).error(e.error());
      case JournalEntry.SpawnedRun e ->
          switch (answers.next()) {
            case Answer.Spawned met -> calls.spawned(line(at, "spawned-run"), e, met);
            case Answer.SpawnExpired gone ->
                line(at, "spawned-run")
                    .step(e.step())
                    .key(e.key())
                    .decision("key-expired")
                    .evidence("run %s is not kept".formatted(gone.run()));
            default -> refused(at).step(e.step()).key(e.key());
          };
      case JournalEntry.KvAsked e -> readKv(e, (Answer.Kv) answers.next(), at);
      case JournalEntry.Alerted e -> {
        Answer answer = answers.hasNext() ? answers.next() : null;
        if (answer instanceof ClaimAnswer.Refused) {
          yield refused(at).key(e.message());
        }
        boolean isFresh = !(answer instanceof Answer.Spawned spawned) || spawned.isFresh();
        yield line(at, "alerted")
            .key(e.message())
            .decision(
                "%s: %s run %s"
                    .formatted(
                        e.alert().word(), isFresh ? "told by" : "told before by", e.delivery()));
      }
      case JournalEntry.Retried e ->
          line(at, "retried")
              .decision(
                  "by "
                      + e.actor()
                      + (e.input() == null ? "" : " with corrected input")
                      + (answers.hasNext() ? "; waits for its slot" + behind(answers) : ""))
              .evidence(e.previousInput());
      case JournalEntry.Queued e ->
          line(at, "queued")
              .state("queued")
              .decision(
                  "waits for one of the slots of flow '%s', %s%s"
                      .formatted(run.flow(), e.gate().told(), behind(answers)));
      case JournalEntry.LockAsked e ->
          line(at, "lock").step(e.step()).key(e.key()).decision(lock(answers.next()));
      case JournalEntry.LockReleased e ->
          line(at, "unlock")
              .step(e.step())
              .key(e.key())
              .decision("gave the lock back, fence " + e.fence());
      case JournalEntry.TurnAwaited e -> awaited(e, at);
      case JournalEntry.Occurred e ->
          line(at, "occurred")
              .decision(
                  "its event happened at %s, and what was done then is unknown: what the run sends may have been sent before"
                      .formatted(e.occurredAt()));
      case JournalEntry.CodeMissing e ->
          line(at, "code-missing")
              .decision(
                  "waits for the code of flow '%s' release %d, which is not registered"
                      .formatted(run.flow(), e.release()));
      case JournalEntry.SlotGranted _ -> line(at, "slot").decision("has its slot and goes on");
      case JournalEntry.CancelRequested e ->
          line(at, "cancel-requested").decision("by " + e.actor()).evidence(e.reason());
      case JournalEntry.KeyForgotten e ->
          line(at, "key-forgotten").decision("by " + e.actor()).evidence(e.reason());
      case JournalEntry.TimedOut e -> line(at, "timed-out").until(e.timeoutAt());
      case JournalEntry.CompensationStarted e ->
          line(at, "compensation-started")
              .error(e.cause())
              .decision("what this run has done is undone, the last first");
      case JournalEntry.Ended e ->
          JournalRow.refusesEnd(answers)
              ? refused(at).evidence("it would have ended as " + e.status().word())
              : line(at, "ended").state(e.status().word()).output(e.output()).error(e.error());
    };
  }

  private Line refused(Instant at) {
    return line(at, "refused").decision("the run is to be canceled");
  }

  private Line awaited(JournalEntry.TurnAwaited turn, Instant at) {
    Step step = turn.step();
    Line line = line(at, "turn-awaited").decision("waits: " + turn.because()).until(turn.until());
    return step == null ? line.state("queued") : line.step(step);
  }

  private boolean isOfEarlierRound(JournalEntry.CallbackAwaited awaited) {
    Long own = opened.get(awaited.step());
    return own != null && own != awaited.number();
  }

  private Line readClaim(JournalEntry.Claimed claim, Iterator<Answer> answers, Instant at) {
    Step step = claim.step();
    keys.put(
        step,
        new EffectKey(
            run.tenant(),
            claim.name(),
            claim.key(),
            claim.kind() == Kind.ADDITIVE ? run.id() : null));
    guards.put(step, claim.guard());
    ClaimAnswer answer =
        answers.hasNext()
            ? (ClaimAnswer) answers.next()
            : new ClaimAnswer.Granted(claim.effect(), 1);
    return switch (answer) {
      case ClaimAnswer.Granted(long effect, int revision) ->
          effect(at, "intent", step, revision).effect(effect).attempt(1).state("pending");
      case ClaimAnswer.Reused reused ->
          effect(at, "reused", step, reused.revision())
              .effect(reused.effect())
              .state("done")
              .reusedFrom(reused.fromRun())
              .decision(reuse(reused))
              .externalId(reused.externalId())
              .output(reused.output());
      case ClaimAnswer.Held held ->
          effect(at, "held", step, null)
              .effect(held.effect())
              .state(held.state().word())
              .decision("waits for run " + held.byRun() + ", which is at the same effect");
      case ClaimAnswer.Conflict conflict ->
          effect(at, "conflict", step, null)
              .effect(conflict.effect())
              .decision("effect-key-reused")
              .evidence(conflict.what() + " (run " + conflict.byRun() + ")");
      case ClaimAnswer.Expired expired ->
          effect(at, "effect-expired", step, expired.revision())
              .effect(expired.effect())
              .state(expired.state().word())
              .decision("it was done before and its record has expired; nothing is sent")
              .externalId(expired.externalId());
      case ClaimAnswer.Abandoned(long effect, int revision, int attempts) ->
          effect(at, "abandoned-before", step, revision)
              .effect(effect)
              .attempt(attempts)
              .state("review")
              .decision("an earlier run gave it up in doubt; a person decides");
      case ClaimAnswer.ReviewFirst(long effect, int revision, var evidence) ->
          effect(at, "review-first", step, revision)
              .effect(effect)
              .state("review")
              .decision("nothing is sent until a person has decided")
              .evidence(evidence);
      case ClaimAnswer.Overtaken(long effect, var what) ->
          effect(at, "overtaken", step, null)
              .effect(effect)
              .decision("it is not undone")
              .evidence(what);
      case ClaimAnswer.Refused _ ->
          effect(at, "refused", step, null).decision("the run is to be canceled");
    };
  }

  private static String published(JournalEntry.Published message, @Nullable Answer answer) {
    String delivered =
        "for '%s', delivered by run %s".formatted(message.destination(), message.delivery());
    if (!(answer instanceof Answer.Spawned spawned) || spawned.isFresh()) {
      return delivered;
    }
    return delivered
        + "; it was published before"
        + (spawned.sameInput() ? "" : ", the content differs and is not sent");
  }

  private static String behind(Iterator<Answer> answers) {
    if (!(answers.hasNext()
        && answers.next() instanceof Answer.Queued(var behind, var displaced))) {
      return "";
    }
    String asked =
        displaced.isEmpty()
            ? ""
            : "; %d older runs were asked to cancel".formatted(displaced.size());
    return ", behind run " + behind + asked;
  }

  private static String lock(Answer answer) {
    return switch (answer) {
      case Answer.Locked(long fence) -> "holds the lock, fence " + fence;
      case Answer.LockTaken(var behind) -> "waits for the lock, behind run " + behind;
      case Answer.LockImpossible(var code, var why) -> code + ": " + why;
      default -> "refused: the run is to be canceled";
    };
  }

  private Line readKv(JournalEntry.KvAsked asked, Answer.Kv answer, Instant at) {
    String found = answer.version() == 0 ? "there is no entry" : "version " + answer.version();
    String decision =
        switch (asked.action()) {
          case GET -> found;
          case DELETE -> answer.written() ? "deleted" : found;
          case PUT, PUT_IF_ABSENT, COMPARE_AND_SET ->
              answer.written() ? "written as " + found : "not written: " + found;
        };
    return line(at, "kv")
        .step(asked.step())
        .key(asked.key())
        .decision(asked.action().word() + ": " + decision)
        .output(answer.written() ? asked.value() : answer.value());
  }

  private static String reuse(ClaimAnswer.Reused reused) {
    var decision = new StringBuilder("reused from run ").append(reused.fromRun());
    if (reused.contentDiffers()) {
      decision.append("; the content differs and was not sent");
    }
    if (reused.superseded()) {
      decision.append("; superseded by a newer revision");
    }
    if (reused.stale()) {
      decision.append("; its version is older than the ledger's and was skipped as stale");
    }
    return decision.toString();
  }

  private Line effect(Instant at, String type, Step step, @Nullable Integer revision) {
    return line(at, type).step(step).of(keys.get(step), guards.get(step), revision);
  }

  private Line line(Instant at, String type) {
    return new Line(entries.size() + 1L, at, type);
  }

  private void add(Line line) {
    entries.add(line.entry());
  }
}
