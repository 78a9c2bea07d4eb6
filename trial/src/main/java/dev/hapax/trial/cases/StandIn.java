package dev.hapax.trial.cases;

import dev.hapax.flows.expression.ExpressionCompiler;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.FieldReader;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.trial.sandbox.AnswerBook;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.SandboxAnswer;
import dev.hapax.trial.sandbox.SandboxFault;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the systems outside behave by {@code stand-in.yaml} of a folder: what they answer, and which
 * answers get lost. A list begins anew for each key of an effect, so that every run meets it, and
 * for each run of a step that only reads. What the file does not say, another book answers. Safe
 * for many threads.
 */
public final class StandIn implements AnswerBook {
  /** The file in the folder of the flows. */
  public static final String FILE = "stand-in.yaml";

  private final AnswerBook otherwise;
  private final Consumer<String> notes;
  private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();
  private volatile Map<String, List<TestCase.Answer>> answers = Map.of();
  private volatile Map<String, Position> named = Map.of();

  /**
   * Creates one that says nothing yet.
   *
   * @param notes hears what goes wrong because the file says so
   */
  public StandIn(AnswerBook otherwise, Consumer<String> notes) {
    this.otherwise = otherwise;
    this.notes = notes;
  }

  /**
   * Takes over what the file says; nothing of it, if there are problems.
   *
   * @param text null if there is no file
   */
  public List<FileProblem> read(@Nullable String text) {
    var problems = new ArrayList<FileProblem>();
    var positions = new LinkedHashMap<String, Position>();
    Map<String, List<TestCase.Answer>> read = Map.of();
    Node root = text == null || text.isBlank() ? null : new Yaml(FILE, problems).read(text);
    if (root != null) {
      var reader =
          new FieldReader(CaseShapes.OUTSIDE, new ExpressionCompiler(null, Set.of()), problems);
      Fields file = reader.read(root, CaseShapes.OUTSIDE.named(CaseShapes.STAND_IN));
      if (file != null && problems.isEmpty()) {
        read = new SandboxAnswerReader(problems).answers(file.fields("answers"), positions::put);
      }
    }
    if (problems.isEmpty()) {
      answers = read;
      named = positions;
    }
    return problems;
  }

  /** Returns the steps that the file names, as {@code step} or {@code flow/step}, with places. */
  public Map<String, Position> steps() {
    return Map.copyOf(named);
  }

  @Override
  public SandboxAnswer answerTo(SandboxRequest request) {
    RequestOrigin from = request.from();
    List<TestCase.Answer> ofStep = answers.get(from.flow() + "/" + from.step());
    if (ofStep == null) {
      ofStep = answers.getOrDefault(from.step(), List.of());
    }
    List<SandboxAnswer> given =
        ofStep.stream()
            .filter(one -> TestCase.isItem(one.item(), from.item()))
            .map(TestCase.Answer::answer)
            .toList();
    if (given.isEmpty()) {
      return otherwise.answerTo(request);
    }
    int count = counts.merge(listOf(from), 1, Integer::sum);
    SandboxAnswer answer = given.get(Math.min(count, given.size()) - 1);
    if (answer.fault() != SandboxFault.NONE) {
      notes.accept(
          "%s %s: %s (%s)".formatted(from.step(), from.key(), answer.fault().word(), FILE));
    }
    return answer;
  }

  private static String listOf(RequestOrigin from) {
    String intent = from.isEffect() ? from.wireKey() : from.run(); // rounds are items, too
    return from.step() + "\n" + intent;
  }

  @Override
  public SandboxAnswer lookup(SandboxRequest request, boolean isThere) {
    return otherwise.lookup(request, isThere);
  }
}
