package dev.hapax.testkit.simulation;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.run.wait.Wait;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.JournalLine;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.OnlyPoisonIsKeptOut;
import dev.hapax.testkit.promise.Sending;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the journals which code paths were taken, so that a path that is never taken is
 * noticed.
 */
final class TakenBranches {
  private final Tally tally;

  TakenBranches(Tally tally) {
    this.tally = tally;
  }

  void count(Evidence evidence) {
    for (Run run : evidence.runs()) {
      tally.count("run " + run.status());
      if (ResourceRef.isRef(run.output())) {
        tally.count("resource: a large output");
      }
      count(run.error());
      evidence.store().waits().ofRun(run.number()).forEach(this::count);
      Map<Step, String> guards = new HashMap<>();
      for (JournalLine line : evidence.journal(run)) {
        count(line, guards);
      }
    }
    for (ClientCall call : evidence.calls()) {
      tally.count(call.wish().name().toLowerCase(Locale.ROOT) + " " + call.answer());
    }
    for (Observation seen : evidence.observations()) {
      String told = seen.told() == null ? "" : " " + seen.told();
      tally.count("seen " + seen.getClass().getSimpleName() + told);
      if (seen instanceof Observation.AlertArrived alert) {
        tally.count("arrived " + alert.type());
      }
      if (seen instanceof Observation.EventTold event && event.outcome() != null) {
        tally.count("event " + event.outcome());
      }
      if (seen instanceof Observation.ValuePut(String ref)
          && evidence.store().resource(evidence.tenant(), ResourceRef.parse(ref)) == null) {
        tally.count("resource: collected");
      }
    }
    if (evidence.store().retention().counts().runs() > 0) {
      tally.count("retention: runs went");
    }
    if (evidence.store().retention().counts().effects() > 0) {
      tally.count("retention: effects went");
    }
    for (ScheduleRecord row : evidence.store().schedules(evidence.tenant())) {
      tally.count(row.note() == null ? "schedule: nothing skipped" : "schedule: some skipped");
    }
    for (Sending sending : evidence.sendings()) {
      tally.count("sent " + sending.guard() + (sending.applied() ? " applied" : " not applied"));
    }
  }

  private void count(@Nullable Failure error) {
    if (error != null) {
      tally.count("error " + error.code());
    }
  }

  private void count(Wait wait) {
    String kind = "wait " + wait.kind();
    tally.count(kind + " " + wait.state());
    if (wait.laterAnswers() > 0) {
      tally.count(kind + ": later answers");
    }
    if (wait.state() == WaitState.DECIDED && !wait.isAwaited()) {
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
    Step step = line.entry().step();
    String what = step != null && step.isUndo() ? "undo " : "";
    ClaimAnswer answer = line.answer();
    if (answer != null) {
      tally.count(what + "answer " + answer.getClass().getSimpleName());
    }
    switch (line.entry()) {
      case EffectEntry.Claimed claim -> {
        if (guards.put(claim.step(), claim.guard()) != null && claim.step().isUndo()) {
          tally.count("undo tried again");
        }
      }
      case EffectEntry.InDoubt doubt -> {
        boolean looksUp = doubt.decision().contains("look");
        doubt(what, guards.get(doubt.step()), looksUp ? "looked up" : "sent again");
        recovered(what, doubt.evidence());
      }
      case EffectEntry.InReview review -> {
        doubt(what, guards.get(review.step()), "review");
        recovered(what, review.evidence());
      }
      case EffectEntry.Skipped skipped -> {
        doubt(what, guards.get(skipped.step()), "skipped");
        recovered(what, skipped.evidence());
      }
      case EffectEntry.ProvenAbsent absent ->
          doubt(what, guards.get(absent.step()), "proven absent");
      case EffectEntry.EffectDone done -> tally.count(what + "done: " + done.decision());
      case EffectEntry.EffectFailed failed ->
          tally.count(what + "failed: " + failed.error().code());
      case EffectEntry.Settled settled -> tally.count(what + "settled " + settled.decision());
      case StepEntry.StepSettled _ -> tally.count(what + "step settled");
      case RunEntry.CompensationStarted(var cause) -> tally.count("compensation: " + cause.code());
      case RunEntry.Retried retried ->
          tally.count(retried.input() == null ? "retried" : "retried with corrected input");
      case RunEntry.Replayed replayed -> count(replayed);
      case EffectEntry.AnsweredLate late -> tally.count(what + "answered after " + late.decision());
      case RunEntry.Alerted alerted -> tally.count("alert " + alerted.alert());
      case RunEntry.Notified _ -> tally.count("notified");
      case RunEntry.Queued(var gate) -> tally.count("queued: " + gate.overflow());
      case RunEntry.SlotGranted _ -> tally.count("slot granted");
      case RunEntry.TurnAwaited turn -> tally.count("turn awaited: " + limit(turn));
      case RunEntry.CancelRequested _ -> tally.count("canceled");
      case RunEntry.Quarantined quarantined ->
          tally.count(
              "quarantined: "
                  + (OnlyPoisonIsKeptOut.isByError(quarantined)
                      ? "an Error"
                      : "ends of processes"));
      case RunEntry.Resumed _ -> tally.count("resumed");
      case RunEntry.TriedNow _ -> tally.count("tried now");
      case RunEntry.TimedOut _ -> tally.count("timed out");
      case WaitEntry.WaitEnded _ -> tally.count("waited");
      case LoopEntry.LoopEnded loop ->
          tally.count(loop.failed() == 0 ? "loop: all succeeded" : "loop: some failed");
      default -> {}
    }
  }

  private void count(RunEntry.Replayed replayed) {
    ReplayTerms terms = replayed.terms();
    tally.count(terms.isFromTheStart() ? "replayed" : "replayed from a step");
    if (replayed.actor().contains(", job ")) {
      tally.count("replayed by a job");
    }
    if (!terms.within().isEmpty()) {
      tally.count("replayed from inside a loop");
    }
    if (replayed.release() != null) {
      tally.count("replayed on another release");
    }
    if (replayed.input() != null) {
      tally.count("replayed with corrected input");
    }
    terms.outputs().forEach(_ -> tally.count("replayed with a corrected output"));
    terms.ask().forEach(_ -> tally.count("replayed and asked again"));
    terms.force().forEach(_ -> tally.count("replayed with force"));
    terms.sends().forEach(_ -> tally.count("replayed with a planned send"));
  }

  private static String limit(RunEntry.TurnAwaited turn) {
    if (turn.step() == null) {
      return "flow";
    }
    return Stream.of("asked for a pause", "breaker is open", "calls are under way")
        .filter(turn.because()::contains)
        .findFirst()
        .orElse("rate");
  }

  private void doubt(String what, @Nullable String guard, String outcome) {
    tally.count(what + "doubt " + guard + ": " + outcome);
  }

  private void recovered(String what, String evidence) {
    if (evidence.startsWith("the process ended")) {
      tally.count(what + "recovered in flight");
    } else if (evidence.startsWith("the database's server was replaced")) {
      tally.count(what + "doubt after a failover");
    }
  }
}
