package dev.hapax.trial.cases;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.trial.sandbox.LargeBody;
import dev.hapax.trial.sandbox.SandboxAnswer;
import dev.hapax.trial.sandbox.SandboxFault;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Makes the answers of destinations from their fields, for test cases and for stand-ins. */
final class SandboxAnswerReader {
  private final List<FileProblem> problems;

  SandboxAnswerReader(List<FileProblem> problems) {
    this.problems = problems;
  }

  /**
   * Returns the answers by step.
   *
   * @param known refuses names of steps that there are not
   */
  Map<String, List<TestCase.Answer>> answers(
      @Nullable Fields named, BiConsumer<String, Position> known) {
    var answers = new LinkedHashMap<String, List<TestCase.Answer>>();
    if (named != null) {
      for (String step : named.names()) {
        known.accept(step, named.position(step));
        List<Fields> given = named.list(step);
        answers.put(
            step,
            given.stream()
                .map(one -> new TestCase.Answer(one.textOrNull("item"), answer(one)))
                .toList());
      }
    }
    return answers;
  }

  SandboxAnswer answer(Fields given) {
    SandboxAnswer answer = SandboxAnswer.USUAL.headers(texts(given.fields("headers")));
    if (given.has("status")) {
      answer = answer.status(given.whole("status", 200));
    }
    if (given.has("body") && given.has("bytes")) {
      problems.add(
          new FileProblem(
              FileProblem.SCHEMA,
              given.position("bytes"),
              "an answer has body or bytes",
              "Remove one of them."));
    }
    if (given.has("body")) {
      answer = answer.body(plain(given.node("body")));
    }
    if (given.has("bytes")) {
      answer = answer.body(new LargeBody(given.whole("bytes", 0)));
    }
    if (given.has("fault")) {
      answer = answer.fault(given.word(SandboxFault.class, "fault"));
    }
    if (given.time("after") != null) {
      answer = answer.arrives(Objects.requireNonNull(given.time("after")));
    }
    return given.has("applied") ? answer.applied(given.flag("applied")) : answer;
  }

  private static @Nullable Object plain(@Nullable Node node) {
    return node == null ? null : node.plain();
  }

  static Map<String, String> texts(@Nullable Fields named) {
    var texts = new LinkedHashMap<String, String>();
    if (named != null) {
      named.names().forEach(name -> texts.put(name, named.text(name)));
    }
    return texts;
  }
}
