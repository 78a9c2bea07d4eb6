package dev.hapax.trial.cases;

import dev.hapax.trial.sandbox.AnswerBook;
import dev.hapax.trial.sandbox.SandboxAnswer;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answers that a case gives; another book has those that it does not give. Of one trial: it
 * counts the requests of each step and item.
 */
public final class CaseBook implements AnswerBook {
  private final TestCase of;
  private final AnswerBook otherwise;
  private final Map<String, Integer> counts = new HashMap<>();

  public CaseBook(TestCase of, AnswerBook otherwise) {
    this.of = of;
    this.otherwise = otherwise;
  }

  @Override
  public synchronized SandboxAnswer answerTo(SandboxRequest request) {
    String step = request.from().step();
    String item = request.from().item();
    List<SandboxAnswer> answers =
        of.answers().getOrDefault(step, List.of()).stream()
            .filter(answer -> TestCase.isItem(answer.item(), item))
            .map(TestCase.Answer::answer)
            .toList();
    if (answers.isEmpty()) {
      return otherwise.answerTo(request);
    }
    boolean isPerItem =
        of.answers().getOrDefault(step, List.of()).stream().anyMatch(one -> one.item() != null);
    int count = counts.merge(isPerItem ? step + "\n" + item : step, 1, Integer::sum);
    return answers.get(Math.min(count, answers.size()) - 1);
  }

  @Override
  public SandboxAnswer lookup(SandboxRequest request, boolean isThere) {
    TestCase.Lookup lookup = of.lookups().get(request.from().step());
    SandboxAnswer given = lookup == null ? null : isThere ? lookup.found() : lookup.missing();
    return given == null ? SandboxAnswer.USUAL : given;
  }
}
