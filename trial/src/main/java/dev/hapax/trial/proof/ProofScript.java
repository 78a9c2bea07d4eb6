package dev.hapax.trial.proof;

import dev.hapax.Approvals;
import dev.hapax.Verdict;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.json.Json;
import dev.hapax.trial.cases.CaseAction;
import dev.hapax.trial.cases.Expectation;
import dev.hapax.trial.cases.TestCase;
import dev.hapax.trial.sandbox.SandboxFault;
import dev.hapax.trial.sandbox.SchemaSample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the runs of a proof get from outside: the input, answers and decisions of a case, or values
 * that are made up.
 */
final class ProofScript {
  private final FlowFile file;
  private final @Nullable TestCase of;
  private final @Nullable Object input;
  private final Map<String, List<Verdict>> verdicts = new HashMap<>();
  private final Map<String, List<@Nullable Object>> callbacks = new HashMap<>();
  private boolean isMoved;

  private ProofScript(FlowFile file, @Nullable TestCase of, @Nullable Object input) {
    this.file = file;
    this.of = of;
    this.input = input;
  }

  /**
   * Makes everything up.
   *
   * @throws NotProvable if no input fits the flow's schema
   */
  static ProofScript madeUp(FlowFile file) {
    JsonSchema schema = file.input();
    Object input = schema == null ? InputMembers.of(file) : SchemaSample.of(schema);
    List<String> problems = schema == null ? List.of() : schema.problems(input);
    if (!problems.isEmpty()) {
      throw new NotProvable(
          "no input could be made from the schema of flow '%s': %s. Add 'examples' to the schema, or write a case file."
              .formatted(file.name(), String.join("; ", problems)));
    }
    return new ProofScript(file, null, input);
  }

  /** Takes what the case gives. What it does to processes and reviews is left to the proof. */
  static ProofScript of(FlowFile file, TestCase given) {
    var script = new ProofScript(file, given, given.input());
    for (CaseAction action : given.actions()) {
      switch (action) {
        case CaseAction.Decide decide ->
            script
                .verdicts
                .computeIfAbsent(decide.step(), _ -> new ArrayList<>())
                .add(verdict(decide));
        case CaseAction.CallBack call ->
            script.callbacks.computeIfAbsent(call.step(), _ -> new ArrayList<>()).add(call.body());
        case CaseAction.Move _ -> script.isMoved = true;
        case CaseAction.Settle _,
            CaseAction.Start _,
            CaseAction.Deliver _,
            CaseAction.Retry _,
            CaseAction.Kill _ -> {}
      }
    }
    return script;
  }

  /** Whether nothing goes wrong in the case, and it ends: the proof lets all the rest go wrong. */
  static boolean isPlain(TestCase given) {
    Expectation expected = given.expect();
    boolean ends =
        expected == null
            || (expected.refused() == null
                && (expected.outcome() == null || expected.outcome().equals("accepted"))
                && (expected.status() == null || RunStatus.of(expected.status()).isEnd()));
    return ends
        && given.kills().isEmpty()
        && given.actions().stream().allMatch(ProofScript::isPlain)
        && given.answers().values().stream()
            .flatMap(List::stream)
            .allMatch(one -> one.answer().fault() == SandboxFault.NONE);
  }

  private static boolean isPlain(CaseAction action) {
    return switch (action) {
      case CaseAction.Move _, CaseAction.CallBack _, CaseAction.Decide _ -> true;
      case CaseAction.Settle _,
          CaseAction.Start _,
          CaseAction.Deliver _,
          CaseAction.Retry _,
          CaseAction.Kill _ ->
          false;
    };
  }

  private static Verdict verdict(CaseAction.Decide decide) {
    Object values = decide.values();
    return new Verdict(
        decide.choice(),
        decide.by(),
        Set.of(),
        decide.comment(),
        values == null ? null : Json.write(values),
        decide.by(),
        false);
  }

  FlowFile file() {
    return file;
  }

  @Nullable TestCase testCase() {
    return of;
  }

  @Nullable Object input() {
    return input;
  }

  /** Returns the decision; null if people let the time pass. */
  @Nullable Verdict verdict(Approvals.Item item) {
    List<Verdict> given = verdicts.getOrDefault(item.step(), List.of());
    if (item.round() <= given.size()) {
      return given.get(item.round() - 1);
    }
    return isMoved ? null : Verdict.approve("proof").actorId("proof");
  }

  /** Whether a system calls back for the n-th time, counted from 0. */
  boolean callsBack(String step, int time) {
    return !isMoved || time < callbacks.getOrDefault(step, List.of()).size();
  }

  @Nullable Object callback(String step, int time, @Nullable JsonSchema schema) {
    List<@Nullable Object> given = callbacks.getOrDefault(step, List.of());
    return time < given.size() ? given.get(time) : SchemaSample.of(schema);
  }

  /** Returns how the run ends when nothing goes wrong. */
  RunStatus end() {
    Expectation expected = of == null ? null : of.expect();
    String status = expected == null ? null : expected.status();
    return status == null ? RunStatus.SUCCEEDED : RunStatus.of(Objects.requireNonNull(status));
  }

  boolean mayRepeat(String effect) {
    return of != null && of.repeats().contains(effect);
  }
}
