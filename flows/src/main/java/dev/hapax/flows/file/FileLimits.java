package dev.hapax.flows.file;

import dev.hapax.flows.expression.ExpressionCompiler;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Shapes;
import dev.hapax.flows.yaml.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the steps and expressions of a file as it was parsed. Compiling is most of the work of
 * reading a file, so a file that is too large is refused before it begins.
 */
final class FileLimits {
  static final int MOST_STEPS = 1_000;

  /** Places, whether or not their texts are the same. */
  static final int MOST_PLACES = 20_000;

  /** Characters of all different expressions together. */
  static final int MOST_CHARACTERS = 300_000;

  private final Shapes shapes;
  private final List<FileProblem> problems;
  private final Set<String> expressions = new HashSet<>();
  private int steps;
  private int places;
  private int characters;

  /** One limit is enough to refuse a file. */
  private static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exceeded() {
      super("a limit is exceeded", null, false, false);
    }
  }

  FileLimits(Shapes shapes, List<FileProblem> problems) {
    this.shapes = shapes;
    this.problems = problems;
  }

  /** Adds a problem and returns false if the file is not to be compiled. */
  boolean hold(Node root) {
    try {
      count(root, shapes.named(FlowShapes.FLOW));
      return true;
    } catch (Exceeded e) {
      return false;
    }
  }

  private void count(Node node, Shape shape) {
    if (shape.name().equals(FlowStep.SHAPE) && ++steps > MOST_STEPS) {
      throw exceeded(
          node.position(),
          "a flow has at most %,d steps".formatted(MOST_STEPS),
          "Move parts of it to other flows, and call them.");
    }
    if (node instanceof Node.Mapping mapping) {
      for (Node.Entry entry : mapping.entries()) {
        Shape.Field field = shape.field(entry.key());
        if (field != null) {
          count(entry.value(), field.type());
        }
      }
    }
  }

  private void count(Node node, Type type) {
    switch (type) {
      case Type.Of of -> count(node, shapes.named(of.shape()));
      case Type.WordOr either -> count(node, shapes.named(either.shape()));
      case Type.ListOf list -> countList(node, shapes.named(list.shape()));
      case Type.Branches branches -> {
        if (node instanceof Node.Mapping mapping) {
          mapping
              .entries()
              .forEach(entry -> countList(entry.value(), shapes.named(branches.shape())));
        }
      }
      case Type.TemplatedOr either -> {
        countTexts(node instanceof Node.Scalar ? node : null);
        count(node, shapes.named(either.shape()));
      }
      case Type.Templated _, Type.Condition _, Type.Value _, Type.Members _ -> countTexts(node);
      case Type.Text _, Type.Words _, Type.Time _, Type.Whole _, Type.Real _, Type.Flag _ -> {}
      case Type.Schema _, Type.Texts _, Type.DistinctTexts _, Type.Statuses _ -> {}
      case Type.Plain _, Type.Named _, Type.OneOrMany _ -> {} // no flow file has them
    }
  }

  private void countList(Node node, Shape shape) {
    if (node instanceof Node.Sequence sequence) {
      sequence.elements().forEach(element -> count(element, shape));
    }
  }

  private void countTexts(@Nullable Node node) {
    switch (node) {
      case null -> {}
      case Node.Mapping mapping -> mapping.entries().forEach(entry -> countTexts(entry.value()));
      case Node.Sequence sequence -> sequence.elements().forEach(this::countTexts);
      case Node.Scalar scalar ->
          Template.expressionsIn(scalar.text())
              .forEach(expression -> countExpression(expression, scalar.position()));
    }
  }

  private void countExpression(String expression, Position at) {
    places++;
    if (expressions.add(expression)) {
      characters += expression.length();
    }
    if (expressions.size() > ExpressionCompiler.MOST) {
      throw exceeded(
          at,
          "a file has at most %,d different expressions".formatted(ExpressionCompiler.MOST),
          "Compute values once, in a 'set' step, or move parts of the flow to other flows.");
    }
    if (places > MOST_PLACES) {
      throw exceeded(
          at,
          "a file has at most %,d places with an expression".formatted(MOST_PLACES),
          "Pass whole objects on instead of each of their fields, or split the flow.");
    }
    if (characters > MOST_CHARACTERS) {
      throw exceeded(
          at,
          "the expressions of a file have at most %,d characters together"
              .formatted(MOST_CHARACTERS),
          "Move constant texts out of expressions, or split the flow.");
    }
  }

  private Exceeded exceeded(Position at, String message, String fix) {
    problems.add(new FileProblem(FileProblem.SCHEMA, at, message, fix));
    return new Exceeded();
  }
}
