package dev.hapax.testkit.simulation;

import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Run;
import dev.hapax.run.Step;
import dev.hapax.run.Wait;
import dev.hapax.testkit.promise.Call;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.JournalLine;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.Sending;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads from the journals which ways were taken, so that a way that is never taken is noticed. */
final class Branches {
  private final Tally tally;

  Branches(Tally tally) {
    this.tally = tally;
  }

  /** What every build must reach; a simulation that never gets there proves nothing about it. */
  static final List<String> REQUIRED =
      List.of(
          "answer Granted",
          "answer Reused",
          "answer Held",
          "answer Conflict",
          "answer Abandoned",
          "answer Refused",
          "doubt keyed: sent again",
          "doubt keyed: looked up",
          "doubt keyed: review",
          "doubt upsert: sent again",
          "doubt transaction: sent again",
          "doubt lookup: looked up",
          "doubt lookup: proven absent",
          "doubt none: review",
          "doubt none: sent again",
          "doubt none: skipped",
          "done: answered",
          "done: answered late",
          "done: found by lookup",
          "recovered in flight",
          "settled HAPPENED",
          "settled NOT_HAPPENED",
          "settled ABANDON",
          "step settled",
          "retried",
          "retried with corrected input",
          "canceled",
          "timed out",
          "waited",
          "run SUCCEEDED",
          "run FAILED",
          "run CANCELED",
          "start ACCEPTED",
          "start DUPLICATE",
          "start KEY_REUSED",
          "start REFUSED",
          "start UNKNOWN");

  /** What the features must reach beside it. */
  static final List<String> REQUIRED_OF_FEATURES =
      List.of(
          "loop: all succeeded",
          "loop: some failed",
          "run PARTIAL",
          "wait CALLBACK DECIDED",
          "wait CALLBACK EXPIRED",
          "wait CALLBACK CLOSED",
          "wait CALLBACK: answered before the run came",
          "wait CALLBACK: later answers",
          "wait APPROVAL DECIDED",
          "wait APPROVAL EXPIRED",
          "wait APPROVAL CLOSED",
          "wait APPROVAL: later answers",
          "wait APPROVAL: another round",
          "reply Kv",
          "reply Locked",
          "reply LockTaken",
          "reply LockImpossible",
          "reply UnderWay",
          "reply Ended",
          "reply KeyReused",
          "reply Spawned",
          "seen LockUsed",
          "seen MessageArrived",
          "seen WaitAnswered REFUSED",
          "seen WaitAnswered UNKNOWN",
          "seen StrangerAnswered REFUSED");

  void count(Evidence evidence) {
    for (Run run : evidence.runs()) {
      tally.count("run " + run.status());
      evidence.store().waits().ofRun(run.number()).forEach(this::count);
      Map<Step, String> guards = new HashMap<>();
      for (JournalLine line : evidence.journal(run)) {
        count(line, guards);
      }
    }
    for (Call call : evidence.calls()) {
      tally.count(call.wish().name().toLowerCase(Locale.ROOT) + " " + call.answer());
    }
    for (Observation seen : evidence.observations()) {
      String told = seen.told() == null ? "" : " " + seen.told();
      tally.count("seen " + seen.getClass().getSimpleName() + told);
    }
    for (Sending sending : evidence.sendings()) {
      tally.count("sent " + sending.guard() + (sending.applied() ? " applied" : " not applied"));
    }
  }

  private void count(Wait wait) {
    String kind = "wait " + wait.kind();
    tally.count(kind + " " + wait.state());
    if (wait.laterAnswers() > 0) {
      tally.count(kind + ": later answers");
    }
    if (wait.state() == Wait.State.DECIDED && !wait.isAwaited()) {
      tally.count(kind + ": answered before the run came");
    }
    if (wait.step().round() != null) {
      tally.count(kind + ": another round");
    }
  }

  private void count(JournalLine line, Map<Step, String> guards) {
    if (line.reply() != null && line.answer() == null) {
      tally.count("reply " + line.reply().getClass().getSimpleName());
    }
    ClaimAnswer answer = line.answer();
    if (answer != null) {
      tally.count("answer " + answer.getClass().getSimpleName());
    }
    switch (line.entry()) {
      case JournalEntry.Claimed claim -> guards.put(claim.step(), claim.guard());
      case JournalEntry.InDoubt doubt -> {
        boolean looksUp = doubt.decision().contains("look");
        doubt(guards.get(doubt.step()), looksUp ? "looked up" : "sent again");
        recovered(doubt.evidence());
      }
      case JournalEntry.InReview review -> {
        doubt(guards.get(review.step()), "review");
        recovered(review.evidence());
      }
      case JournalEntry.Skipped skipped -> {
        doubt(guards.get(skipped.step()), "skipped");
        recovered(skipped.evidence());
      }
      case JournalEntry.ProvenAbsent absent -> doubt(guards.get(absent.step()), "proven absent");
      case JournalEntry.EffectDone done -> tally.count("done: " + done.decision());
      case JournalEntry.EffectFailed failed -> tally.count("failed: " + failed.error().code());
      case JournalEntry.Settled settled -> tally.count("settled " + settled.decision());
      case JournalEntry.StepSettled _ -> tally.count("step settled");
      case JournalEntry.Retried retried ->
          tally.count(retried.input() == null ? "retried" : "retried with corrected input");
      case JournalEntry.CancelRequested _ -> tally.count("canceled");
      case JournalEntry.TimedOut _ -> tally.count("timed out");
      case JournalEntry.WaitEnded _ -> tally.count("waited");
      case JournalEntry.LoopEnded loop ->
          tally.count(loop.failed() == 0 ? "loop: all succeeded" : "loop: some failed");
      default -> {}
    }
  }

  private void doubt(@Nullable String guard, String outcome) {
    tally.count("doubt " + guard + ": " + outcome);
  }

  private void recovered(String evidence) {
    if (evidence.startsWith("the process ended")) {
      tally.count("recovered in flight");
    }
  }
}
