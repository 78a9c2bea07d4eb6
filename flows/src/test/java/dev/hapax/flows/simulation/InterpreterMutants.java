package dev.hapax.flows.simulation;

import dev.hapax.testkit.mutant.Mutant;
import dev.hapax.testkit.mutant.MutantSuite;
import java.util.List;

/** Mutants of the interpreter, which generated flow files must notice. */
final class InterpreterMutants implements MutantSuite {
  private static final int MOST_SEEDS = 1_500;

  @Override
  public int mostSeeds() {
    return MOST_SEEDS;
  }

  @Override
  public List<Mutant> mutants() {
    return List.of(
        interpreter(
            "a condition that is false is passed over",
            "frame.skip(step); } return !runs;",
            "frame.skip(step); } return false;"),
        mutant(
            "the first branch of a choose is taken, whatever its condition says",
            "dev.hapax.flows.step.ChooseStep",
            "if (when == null || Evaluation.holds(when, scope)) {",
            "if (branch != null) {"),
        interpreter(
            "the last step of a block is left out",
            "for (int i = 0; i < steps.size(); i++) {",
            "for (int i = 0; i < Math.max(1, steps.size() - 1); i++) {"),
        interpreter(
            "a step that fails is passed over",
            "if (step.onError() != FlowStep.OnError.CONTINUE) {",
            "if (step == null) {"),
        interpreter(
            "a run does not go on behind a step that may fail",
            "if (step.onError() != FlowStep.OnError.CONTINUE) {",
            "if (step != null) {"),
        interpreter(
            "the result of a step is unknown to the next",
            "frame.put(step, carryOut(frame, step)); return;",
            "var _ = carryOut(frame, step); return;"),
        interpreter(
            "the first item of a loop is left out",
            "for (Object one : list) {",
            "for (Object one : list.stream().skip(1).toList()) {"),
        interpreter(
            "the condition of an item is passed over",
            "return isPerItem(step) && isLeftOut(frame, step)",
            "return step == null"),
        interpreter("the result of an item is lost", "shown.put(\"output\", item.output());", ""),
        interpreter(
            "a repetition ends with its first round",
            "? Evaluation.holds(until, round.scope())",
            "? true"),
        mutant(
            "a run goes on behind a return",
            "dev.hapax.flows.step.ReturnStep",
            "throw new StepRun.Returned(value);",
            "return value;"),
        interpreter(
            "the approval behind rounds of work is asked for once more", "i = approval;", ""),
        interpreter(
            "a rework does not know what it is for",
            "rework == null ? null : ApprovalStep.output(rework)",
            "null"),
        mutant(
            "the engine does not learn what a file says about undoing",
            "dev.hapax.flows.step.Guarded",
            "return compensate == null ? null : output -> new UndoOf(step, compensate, output).undo();",
            "return null;"),
        result("a file does not hear of a stale effect", "stale", "outcome.stale()"),
        result("a file does not hear of a reused effect", "reused", "outcome.reused()"),
        mutant(
            "a file does not hear of the destination's id",
            "dev.hapax.flows.step.StepResult",
            "result.put(\"externalId\", externalId(step, outcome.externalId(), output));",
            ""),
        mutant(
            "all holders of a lock have the same fence",
            "dev.hapax.flows.interpret.Frame",
            "\"fence\", fence(lock)",
            "\"fence\", 1L"),
        interpreter(
            "every round is the first",
            "facts.put(MembersRead.ROUND, round);",
            "facts.put(MembersRead.ROUND, 1);"),
        mutant(
            "a detached child is awaited",
            "dev.hapax.flows.step.ChildStep",
            "if (detach) {",
            "if (childFlow == null) {"),
        mutant(
            "an update has no version",
            "dev.hapax.flows.step.Guarded",
            "return contract.version() == null",
            "return contract != null"),
        mutant(
            "other content under an equal version is refused",
            "dev.hapax.flows.step.Guarded",
            "contract.appliesTies() ? Tie.APPLY : Tie.REJECT",
            "Tie.REJECT"),
        mutant(
            "a file does not decide what a rework does to an effect",
            "dev.hapax.flows.step.Guarded",
            "if (contract.onRework() != null) {",
            "if (contract == null) {"),
        mutant(
            "an approval is not announced",
            "dev.hapax.flows.step.ApprovalStep",
            "step.isDraft() ? List.of() : told(step)",
            "List.of()"),
        mutant(
            "a file has no alerts",
            "dev.hapax.flows.FlowFiles",
            "if (!file.alerts().isEmpty() && !services.isDraft()) {",
            "if (file.alerts() == null) {"),
        mutant(
            "a transition of an entry does not look at its value",
            "dev.hapax.flows.step.KvStep",
            "case TRANSITION -> map.transition(step.id(), at, from(step), content, ttl);",
            "case TRANSITION -> map.get(step.id(), at);"));
  }

  private static Mutant result(String fault, String member, String value) {
    return mutant(
        fault,
        "dev.hapax.flows.step.StepResult",
        "result.replace(\"%s\", %s);".formatted(member, value),
        "");
  }

  private static Mutant interpreter(String fault, String text, String instead) {
    return mutant(fault, "dev.hapax.flows.interpret.Interpreter", text, instead);
  }

  private static Mutant mutant(String fault, String type, String text, String instead) {
    return new Mutant(fault, type, text, instead, FileSimulation::problems);
  }
}
