package dev.hapax.history;

import dev.hapax.flow.Decision;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the history lines about steps that are no effects. */
final class StepHistory {
  private final Map<Step, Long> opened = new HashMap<>();
  private final Set<Step> repeated = new HashSet<>();

  HistoryLine read(StepEntry entry, Iterator<Answer> answers, LinePlace place) {
    return switch (entry) {
      case StepEntry.StepDone e -> place.line("step-done").step(e.step()).output(e.output());
      case StepEntry.Branched e -> place.line("branch").step(e.step()).branch(e.branch());
      case StepEntry.StepFailed e -> place.line("step-failed").step(e.step()).error(e.error());
      case StepEntry.ReadFailed e ->
          place
              .line("read-failed")
              .step(e.step())
              .attempt(e.attempt())
              .evidence(e.evidence())
              .until(e.retryAt());
      case StepEntry.StepSettled e ->
          place
              .line("step-settled")
              .step(e.step())
              .output(e.output())
              .decision("done by hand by " + e.actor())
              .evidence(e.reason());
      case StepEntry.Published e -> {
        Answer answer = answers.hasNext() ? answers.next() : null;
        yield answer instanceof ClaimAnswer.Refused
            ? place.refused().step(e.step()).key(e.message())
            : place
                .line("published")
                .step(e.step())
                .key(e.message())
                .decision(published(e, answer));
      }
      case StepEntry.KvAsked e -> readKv(e, (Answer.Kv) answers.next(), place);
    };
  }

  HistoryLine read(LoopEntry entry, LinePlace place) {
    return switch (entry) {
      case LoopEntry.LoopStarted e when e.hasRounds() -> {
        repeated.add(e.step());
        yield place
            .line("loop")
            .step(e.step())
            .decision(
                e.ended() == null
                    ? "at most %,d rounds".formatted(e.items())
                    : "%,d rounds have ended".formatted(e.ended()));
      }
      case LoopEntry.LoopStarted e ->
          place.line("loop").step(e.step()).decision("%,d items".formatted(e.items()));
      case LoopEntry.ItemEnded e ->
          place
              .line(e.error() == null ? "item-done" : "item-failed")
              .step(e.step())
              .error(e.error());
      case LoopEntry.LoopEnded e ->
          place
              .line("loop-ended")
              .step(e.step())
              .decision(
                  repeated.contains(e.step())
                      ? "%,d rounds".formatted(e.succeeded())
                      : "%,d items succeeded, %,d failed".formatted(e.succeeded(), e.failed()));
    };
  }

  HistoryLine read(WaitEntry entry, LinePlace place) {
    return switch (entry) {
      case WaitEntry.WaitStarted e -> place.line("wait").step(e.step()).until(e.until());
      case WaitEntry.WaitEnded e -> place.line("wait-ended").step(e.step());
      case WaitEntry.CallbackOpened e -> {
        opened.put(e.step(), e.number());
        yield place.line("callback-opened").step(e.step());
      }
      case WaitEntry.CallbackAwaited e ->
          place
              .line("callback-awaited")
              .step(e.step())
              .until(e.expiresAt())
              .decision(
                  isOfEarlierRound(e)
                      ? "its token was sent only in an effect that was reused: the answer to the"
                          + " earlier round's token counts"
                      : null);
      case WaitEntry.ApprovalLinked e ->
          place
              .line("approval-linked")
              .step(e.step())
              .decision(
                  e.approver() == null
                      ? "a link that decides it"
                      : "a link that decides it, for " + e.approver());
      case WaitEntry.ApprovalAsked e ->
          place
              .line("approval-asked")
              .step(e.step())
              .until(e.expiresAt())
              .decision(
                  e.ask() + (e.roles().isEmpty() ? "" : " (" + String.join(", ", e.roles()) + ")"))
              .evidence(e.deciders());
      case WaitEntry.WaitSettled e ->
          place
              .line("wait-settled")
              .step(e.step())
              .state(e.state().word())
              .decision(e.by() == null ? null : "by " + e.by())
              .evidence(isClaimed(e) ? "the identity is claimed, not proven" : null)
              .output(e.decision());
    };
  }

  /** A callback has no actor, so its value is not read as a decision. */
  private static boolean isClaimed(WaitEntry.WaitSettled settled) {
    String decision = settled.decision();
    return settled.by() != null
        && decision != null
        && Json.read(decision, Decision.class).onlyClaims();
  }

  HistoryLine read(LockEntry entry, Iterator<Answer> answers, LinePlace place) {
    return switch (entry) {
      case LockEntry.LockAsked e ->
          place.line("lock").step(e.step()).key(e.key()).decision(lock(answers.next()));
      case LockEntry.LockReleased e ->
          place
              .line("unlock")
              .step(e.step())
              .key(e.key())
              .decision("gave the lock back, fence " + e.fence());
    };
  }

  private boolean isOfEarlierRound(WaitEntry.CallbackAwaited awaited) {
    Long own = opened.get(awaited.step());
    return own != null && own != awaited.number();
  }

  private static String published(StepEntry.Published message, @Nullable Answer answer) {
    String delivered =
        "for '%s', delivered by run %s".formatted(message.destination(), message.delivery());
    if (!(answer instanceof Answer.Spawned spawned) || spawned.isFresh()) {
      return delivered;
    }
    return delivered
        + "; it was published before"
        + (spawned.sameInput() ? "" : ", the content differs and is not sent");
  }

  private HistoryLine readKv(StepEntry.KvAsked asked, Answer.Kv answer, LinePlace place) {
    String found = answer.version() == 0 ? "there is no entry" : "version " + answer.version();
    String decision =
        switch (asked.action()) {
          case GET -> found;
          case DELETE -> answer.written() ? "deleted" : found;
          case PUT, PUT_IF_ABSENT, COMPARE_AND_SET, TRANSITION, ADD ->
              answer.written() ? "written as " + found : "not written: " + found;
        };
    return place
        .line("kv")
        .step(asked.step())
        .key(asked.key())
        .decision(asked.action().word() + ": " + decision)
        .output(answer.current(asked.value()));
  }

  private static String lock(Answer answer) {
    return switch (answer) {
      case Answer.Locked(long fence) -> "holds the lock, fence " + fence;
      case Answer.LockTaken(var behind) -> "waits for the lock, behind run " + behind;
      case Answer.LockImpossible(var code, var why) -> code + ": " + why;
      default -> "refused: the run is being canceled";
    };
  }
}
