package dev.hapax.flows.step;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The list of all step kinds, in the order of the docs. */
final class StepKinds {
  static final List<StepForm> ALL =
      List.of(
          HttpStep.FORM,
          DbStep.FORM,
          KvStep.FORM,
          ResourceStep.FORM,
          LlmStep.FORM,
          SshStep.FORM,
          EmailStep.FORM,
          PublishStep.FORM,
          WaitStep.FORM,
          ApprovalStep.FORM,
          ChildStep.FORM,
          ParallelStep.FORM,
          ChooseStep.FORM,
          RepeatStep.FORM,
          SetStep.FORM,
          FailStep.FORM,
          ReturnStep.FORM,
          CallStep.FORM);

  /** The kinds that a compensation may have. */
  static final List<StepForm> COMPENSATIONS =
      List.of(HttpStep.FORM, DbStep.FORM, EmailStep.FORM, SshStep.FORM, CallStep.FORM);

  private static final Map<String, StepForm> BY_WORD =
      ALL.stream().collect(Collectors.toMap(StepForm::word, Function.identity()));

  private StepKinds() {}

  static StepForm named(String word) {
    return Objects.requireNonNull(BY_WORD.get(word), word);
  }
}
