package dev.hapax.flows.simulation;

import dev.hapax.testkit.mutant.Mutant;
import dev.hapax.testkit.mutant.MutantSuite;
import java.util.List;

/** Mutants of the interpreter, which generated flow files must notice. */
final class InterpreterMutants implements MutantSuite {
  private static final int MOST_SEEDS = 400;

  @Override
  public int mostSeeds() {
    return MOST_SEEDS;
  }

  @Override
  public List<Mutant> mutants() {
    return List.of(
        interpreter(
            "a condition that is false is passed over",
            "if (!runs) { frame.put(step, nothing()); } return !runs;",
            "if (!runs) { frame.put(step, nothing()); } return false;"),
        interpreter(
            "the first branch of a choose is taken, whatever its condition says",
            "if (when == null || holds(when, scope)) {",
            "if (choice != null) {"),
        interpreter(
            "the last step of a block is left out",
            "for (int i = 0; i < steps.size(); i++) {",
            "for (int i = 0; i < Math.max(1, steps.size() - 1); i++) {"),
        interpreter(
            "a step that fails is passed over",
            "if (step.onError() != Step.OnError.CONTINUE) {",
            "if (step == null) {"),
        interpreter(
            "a run does not go on behind a step that may fail",
            "if (step.onError() != Step.OnError.CONTINUE) {",
            "if (step != null) {"),
        interpreter(
            "what a step has come to is not known to the next",
            "frame.put(step, carryOut(frame, step)); return;",
            "var _ = carryOut(frame, step); return;"),
        interpreter(
            "the first item of a loop is left out",
            "for (Object one : list) {",
            "for (Object one : list.stream().skip(1).toList()) {"),
        interpreter(
            "the condition of an item is passed over",
            "if (isPerItem(step) && isLeftOut(frame, step)) {",
            "if (step == null) {"),
        interpreter(
            "the approval behind rounds of work is asked for once more", "i = approval;", ""),
        interpreter(
            "a rework does not know what it is for",
            "rework == null ? null : WaitStep.output(rework)",
            "null"),
        mutant(
            "what a file says about undoing is not told to the engine",
            "dev.hapax.flows.step.Guarded",
            "return compensate == null ? null : output -> new UndoOf(step, compensate, output).undo();",
            "return null;"));
  }

  private static Mutant interpreter(String fault, String text, String instead) {
    return mutant(fault, "dev.hapax.flows.interpret.Interpreter", text, instead);
  }

  private static Mutant mutant(String fault, String type, String text, String instead) {
    return new Mutant(fault, type, text, instead, FileSimulation::problems);
  }
}
