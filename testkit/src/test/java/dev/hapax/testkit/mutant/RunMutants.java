package dev.hapax.testkit.mutant;

import static dev.hapax.testkit.mutant.EngineMutants.core;
import static dev.hapax.testkit.mutant.EngineMutants.mixed;

import java.util.List;

/** Of a run in memory: replay, waits, calls, items, compensation, ending. */
final class RunMutants {
  private RunMutants() {}

  static List<Mutant> all() {
    return List.of(
        core(
            "a step that was done is done again after a wake-up",
            "dev.hapax.engine.replay.StepReplay",
            "case StepEntry.StepDone(var step, var output) -> steps.put(step, StepState.done(StepKind.STEP, output));",
            "case StepEntry.StepDone(var step, var output) -> steps.remove(step);"),
        core(
            "a resend is not an attempt",
            "dev.hapax.engine.replay.EffectReplay",
            "case EffectEntry.SentAgain(var step, _, int attempt) -> attempted(step, attempt);",
            "case EffectEntry.SentAgain(var step, _, int attempt) -> {}"),
        core(
            "a doubt is forgotten over a restart",
            "dev.hapax.engine.replay.EffectReplay",
            "case EffectEntry.InDoubt doubt -> open(doubt.step(), inDoubt(doubt));",
            "case EffectEntry.InDoubt doubt -> open(doubt.step(), progressOf(doubt.step()).absent(at));"),
        core(
            "what a person settled as done is open",
            "dev.hapax.engine.replay.EffectReplay",
            "case HAPPENED -> { steps.put(step, StepState.done(StepKind.EFFECT, settled.output()));",
            "case HAPPENED -> { open(step, progressOf(step).notHappened(at));"),
        mixed(
            "an item that ended is handled again",
            "dev.hapax.engine.replay.StepReplay",
            "items.put( step, error == null ? StepState.done(StepKind.ITEM, output) : new StepState.Failed(StepKind.ITEM, error));",
            "items.remove(step);"),
        mixed(
            "effects are undone first to last",
            "dev.hapax.engine.replay.Undoables",
            "return done.reversed();",
            "return List.copyOf(done);"),
        mixed(
            "an undo that is done is done again",
            "dev.hapax.engine.pass.Compensation",
            "if (state instanceof StepState.Finished) { return; }",
            ""),
        mixed(
            "a compensation is not in the journal before it begins",
            "dev.hapax.engine.pass.RunExit",
            "body.writer().add(new RunEntry.CompensationStarted(cause));",
            ""),
        mixed(
            "waits stay open when their run ends",
            "dev.hapax.engine.pass.RunExit",
            "body.writer().add(new Change.CloseWaits(goesOn));",
            ""),
        core(
            "a run that parks tells the timer nothing",
            "dev.hapax.engine.pass.RunExit",
            "if (due != null) { parts.timer().noteDue(pass.number(), due); }",
            ""),
        mixed(
            "a failure is told to nobody",
            "dev.hapax.engine.pass.RunExit",
            "alert(Alert.FAILED, Integer.toString(pass.failures() + 1), error, step);",
            ""),
        core(
            "a sleep ends when the run is woken",
            "dev.hapax.engine.pass.WaitSteps",
            "if (parts.clock().now().isBefore(wait.until())) {",
            "if (!(state instanceof StepState.Waiting) && parts.clock().now().isBefore(wait.until())) {"),
        core(
            "a sleep begins anew with each wake-up",
            "dev.hapax.engine.pass.WaitSteps",
            "state instanceof StepState.Waiting recorded ? recorded : start(step, until.get())",
            "start(step, until.get())"),
        mixed(
            "a callback hears its answer only after its expiry",
            "dev.hapax.engine.pass.WaitSteps",
            "if (isSettled(wait)) { return settle(step, asked, wait); }",
            ""),
        mixed(
            "an approval is asked for again after each wake-up",
            "dev.hapax.engine.pass.WaitSteps",
            "if (state instanceof StepState.Asked asked) { return hear(step, asked, null); }",
            ""),
        mixed(
            "a failed item is counted as done",
            "dev.hapax.engine.pass.Loop",
            "failed++; if",
            "succeeded++; if"),
        mixed(
            "an item's end is not in the journal",
            "dev.hapax.engine.pass.Fiber",
            "add(new LoopEntry.ItemEnded(item, failure, output));",
            ""),
        mixed(
            "two threads handle one item",
            "dev.hapax.engine.pass.ItemQueue",
            "Next<T> next = ahead.poll();",
            "Next<T> next = ahead.size() > 1 ? ahead.peek() : ahead.poll();"),
        mixed(
            "a child that failed is taken for one that succeeded",
            "dev.hapax.engine.replay.CallReplay",
            "when ended.status() == RunStatus.SUCCEEDED && !Erased.is(ended.output()) ->",
            "when ended.status() != RunStatus.SUCCEEDED || ended.output() != null ->"),
        core(
            "a timeout is never noticed by a run that wakes up",
            "dev.hapax.engine.replay.Stopping",
            "return until != null && !now.isBefore(until);",
            "return false;"),
        core(
            "an effect that is settled stays open",
            "dev.hapax.engine.writing.OpenEffects",
            "} else { effects.remove(step); }",
            "}"),
        core(
            "a canceled run does not report it",
            "dev.hapax.engine.replay.Stopping",
            "toNote.add(new RunEntry.CancelRequested(wish.actor(), wish.reason()));",
            ""));
  }
}
