package dev.hapax.run.retention;

import dev.hapax.flow.Erased;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.ClaimAnswer;
import org.jspecify.annotations.Nullable;

/** The store's answers in the journal of a run whose values are erased. Pure. */
final class ErasedAnswers {
  private final long run;
  private final boolean externalIds;

  ErasedAnswers(long run, boolean externalIds) {
    this.run = run;
    this.externalIds = externalIds;
  }

  Answer answer(Answer answer) {
    return switch (answer) {
      case ClaimAnswer claim -> claim(claim);
      case CallAnswer call -> call(call);
      case Answer.Heard e ->
          new Answer.Heard(
              e.number(),
              e.state(),
              Erased.decision(e.decision()),
              Erased.by(e.decision(), e.by()),
              e.at(),
              e.isFirst());
      case Answer.Kv e -> new Answer.Kv(Erased.json(e.value()), e.version(), e.written());
      case Answer.Canceling e ->
          new Answer.Canceling(
              new Run.Cancel(
                  e.first().actor(), Erased.text(e.first().reason()), e.first().compensate()));
      case Answer.LockImpossible e -> new Answer.LockImpossible(e.code(), Erased.TEXT);
      case Answer.Received e ->
          new Answer.Received(e.event(), e.outcome(), e.run(), Erased.text(e.detail()));
      case Answer.Spawned _,
          Answer.SpawnExpired _,
          Answer.Queued _,
          Answer.Locked _,
          Answer.LockTaken _,
          Answer.NotEnded _,
          Answer.Decided _,
          Answer.Fired _,
          Answer.Imported _,
          Answer.IdAdopted _,
          Answer.RunErased _ ->
          answer;
    };
  }

  private ClaimAnswer claim(ClaimAnswer answer) {
    return switch (answer) {
      case ClaimAnswer.Reused e ->
          new ClaimAnswer.Reused(
              e.effect(),
              e.revision(),
              e.fromRun(),
              Erased.json(e.output()),
              id(e.externalId()),
              e.contentDiffers(),
              e.superseded(),
              e.stale());
      case ClaimAnswer.Conflict e -> new ClaimAnswer.Conflict(e.effect(), e.byRun(), Erased.TEXT);
      case ClaimAnswer.Expired e ->
          new ClaimAnswer.Expired(e.effect(), e.revision(), e.state(), id(e.externalId()));
      case ClaimAnswer.ResultErased e ->
          new ClaimAnswer.ResultErased(e.effect(), e.revision(), e.fromRun(), id(e.externalId()));
      case ClaimAnswer.ReviewFirst e ->
          new ClaimAnswer.ReviewFirst(e.effect(), e.revision(), Erased.TEXT);
      case ClaimAnswer.Overtaken e -> new ClaimAnswer.Overtaken(e.effect(), Erased.TEXT);
      case ClaimAnswer.ReviewRework e ->
          new ClaimAnswer.ReviewRework(
              e.effect(),
              e.revision(),
              e.attempts(),
              Erased.json(e.output()),
              id(e.externalId()),
              e.reused());
      case ClaimAnswer.UndoFirst e ->
          new ClaimAnswer.UndoFirst(e.effect(), e.revision(), id(e.externalId()));
      case ClaimAnswer.NotPlanned stale -> new ClaimAnswer.NotPlanned(stale.revision());
      case ClaimAnswer.Granted _,
          ClaimAnswer.Held _,
          ClaimAnswer.Abandoned _,
          ClaimAnswer.Refused _ ->
          answer;
    };
  }

  private CallAnswer call(CallAnswer answer) {
    return switch (answer) {
      case CallAnswer.Ended e ->
          new CallAnswer.Ended(
              e.child(),
              e.isOwn(),
              e.inputDiffers(),
              e.status(),
              Erased.json(e.output()),
              Erased.failure(run, e.error()));
      case CallAnswer.UnderWay _,
          CallAnswer.KeyReused _,
          CallAnswer.Cycle _,
          CallAnswer.LetGo _,
          CallAnswer.Gone _ ->
          answer;
    };
  }

  private @Nullable String id(@Nullable String externalId) {
    return externalIds ? null : externalId;
  }
}
