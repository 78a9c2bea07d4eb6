package dev.hapax.flows.yaml;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.ExpressionCompiler;
import dev.hapax.flows.expression.ExpressionProblem;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Suggestion;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.json.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks a document against its shape and reads the values of its fields. Continues after a
 * problem, so that it reports all of them at once.
 */
public final class FieldReader {
  private final Shapes shapes;
  private final ExpressionCompiler compiler;
  private final List<FileProblem> problems;
  private boolean incomplete;

  /** Problems so far that leave a mapping without a record. */
  private int breaks;

  public FieldReader(Shapes shapes, ExpressionCompiler compiler, List<FileProblem> problems) {
    this.shapes = shapes;
    this.compiler = compiler;
    this.problems = problems;
  }

  /** Whether something is missing or has the wrong type, so that no record can be made. */
  public boolean isIncomplete() {
    return incomplete;
  }

  public @Nullable Fields read(Node node, Shape shape) {
    if (!(node instanceof Node.Mapping mapping)) {
      wrongType(node, shape.what(), "a mapping with " + someOf(shape));
      return null;
    }
    int breaksBefore = breaks;
    var values = new LinkedHashMap<String, Object>();
    var positions = new LinkedHashMap<String, Position>();
    for (Node.Entry entry : mapping.entries()) {
      Shape.Field field = shape.field(entry.key());
      if (field == null) {
        unknown(entry, shape);
        continue;
      }
      positions.put(entry.key(), entry.position());
      Object value = valueOf(entry.value(), field.type(), entry.key());
      if (value != null) {
        values.put(entry.key(), value);
      }
    }
    refuseMissing(mapping, shape, positions);
    return new Fields(
        shape, mapping.position(), values, positions, breaks == breaksBefore, mapping);
  }

  private void unknown(Node.Entry entry, Shape shape) {
    String near = Suggestion.among(entry.key(), shape.fields().keySet());
    problems.add(
        new FileProblem(
            FileProblem.UNKNOWN_FIELD,
            entry.position(),
            "'%s' is not a field of %s%s".formatted(entry.key(), shape.what(), near),
            shape.fields().isEmpty()
                ? "Remove it."
                : "Its fields are: " + String.join(", ", shape.fields().keySet()) + "."));
  }

  private void refuseMissing(Node.Mapping mapping, Shape shape, Map<String, Position> found) {
    for (Shape.Field field : shape.fields().values()) {
      if (field.required() && !found.containsKey(field.name())) {
        problem(
            FileProblem.SCHEMA,
            mapping.position(),
            "%s needs '%s'".formatted(shape.what(), field.name()),
            "Add '%s'. %s".formatted(field.name(), field.doc()));
      }
    }
    var alternatives = new ArrayList<String>();
    shape.alternatives().stream().filter(found::containsKey).forEach(alternatives::add);
    Shape.Instead instead = shape.instead();
    if (instead != null && has(mapping.get(instead.field()), instead.member())) {
      alternatives.add(instead.toString());
    }
    if (alternatives.isEmpty() && !shape.alternatives().isEmpty()) {
      problem(
          FileProblem.SCHEMA,
          mapping.position(),
          "%s needs one of %s%s"
              .formatted(
                  shape.what(),
                  String.join(", ", shape.alternatives()),
                  instead == null ? "" : ", or " + instead),
          "Add exactly one of them.");
    } else if (alternatives.size() > 1) {
      Position second = found.getOrDefault(alternatives.get(1), mapping.position());
      problem(
          shape.several().rule(),
          second,
          "%s has %s: expected exactly one"
              .formatted(shape.what(), String.join(" and ", alternatives)),
          shape.several().fix());
    }
  }

  private static boolean has(@Nullable Node node, String member) {
    return node instanceof Node.Mapping mapping && mapping.get(member) != null;
  }

  private static String someOf(Shape shape) {
    List<String> names = shape.fields().keySet().stream().limit(4).toList();
    return names.isEmpty() ? "no fields" : String.join(", ", names) + "…";
  }

  private @Nullable Object valueOf(Node node, Type type, String name) {
    return switch (type) {
      case Type.Text text -> text(node, text, name);
      case Type.Words words -> word(node, words.words(), name);
      case Type.Templated templated -> template(node, templated.place(), name);
      case Type.Condition condition -> condition(node, condition.place(), name);
      case Type.Time _ -> time(node, name);
      case Type.Whole whole -> whole(node, whole, name);
      case Type.Real real -> real(node, real, name);
      case Type.Flag _ -> flag(node, name);
      case Type.Value value -> value(node, value.place());
      case Type.Members members -> members(node, members.place(), name);
      case Type.Schema _ -> schema(node, name);
      case Type.Texts _ -> texts(node, name);
      case Type.DistinctTexts texts -> distinctTexts(node, texts, name);
      case Type.Statuses _ -> statuses(node, name);
      case Type.Of of -> read(node, shapes.named(of.shape()));
      case Type.ListOf list -> list(node, shapes.named(list.shape()), name);
      case Type.Branches branches -> branches(node, shapes.named(branches.shape()), name);
      case Type.WordOr either -> wordOr(node, either, name);
      case Type.TemplatedOr either ->
          node instanceof Node.Scalar
              ? template(node, either.place(), name)
              : read(node, shapes.named(either.shape()));
      case Type.Plain _ -> node;
      case Type.Named named -> named(node, named.each(), name);
      case Type.OneOrMany many -> oneOrMany(node, shapes.named(many.shape()), name);
    };
  }

  private @Nullable Fields named(Node node, Type each, String name) {
    if (!(node instanceof Node.Mapping mapping)) {
      return wrongType(node, name, "a mapping");
    }
    int breaksBefore = breaks;
    var values = new LinkedHashMap<String, Object>();
    var positions = new LinkedHashMap<String, Position>();
    for (Node.Entry entry : mapping.entries()) {
      positions.put(entry.key(), entry.position());
      Object value = valueOf(entry.value(), each, entry.key());
      if (value != null) {
        values.put(entry.key(), value);
      }
    }
    Shape shape = Shape.of(name, name).build();
    return new Fields(
        shape, mapping.position(), values, positions, breaks == breaksBefore, mapping);
  }

  private @Nullable List<Fields> oneOrMany(Node node, Shape shape, String name) {
    if (node instanceof Node.Sequence sequence) {
      return sequence.elements().isEmpty() ? List.of() : list(node, shape, name);
    }
    Fields one = read(node, shape);
    return one == null ? null : List.of(one);
  }

  private @Nullable String text(Node node, Type.Text type, String name) {
    if (!(node instanceof Node.Scalar scalar) || scalar.value() == null) {
      return wrongType(node, name, "a text such as '%s'".formatted(type.example()));
    }
    String text = scalar.text();
    if (text.contains("${") && !text.contains("$${")) {
      return wrongType(node, name, "a constant text, without ${ }");
    }
    if (type.pattern() != null && !Pattern.matches(type.pattern(), text)) {
      return wrongType(
          node,
          name,
          "a text of the form %s such as '%s'".formatted(type.pattern(), type.example()));
    }
    return text;
  }

  private @Nullable String word(Node node, List<String> words, String name) {
    if (node instanceof Node.Scalar scalar) {
      if (words.contains(scalar.text())) {
        return scalar.text();
      }
      return problem(
          FileProblem.TYPE,
          node.position(),
          "%s: expected %s, got '%s'%s"
              .formatted(
                  name,
                  String.join(" | ", words),
                  shortened(scalar.text()),
                  Suggestion.among(scalar.text(), words)),
          "Use one of these words.");
    }
    return wrongType(node, name, String.join(" | ", words));
  }

  private @Nullable Template template(Node node, Place place, String name) {
    if (!(node instanceof Node.Scalar scalar) || scalar.value() == null) {
      return wrongType(node, name, "a text or ${ }");
    }
    return templateOf(scalar, place);
  }

  private Template templateOf(Node.Scalar scalar, Place place) {
    var found = new ArrayList<ExpressionProblem>();
    Template template =
        Template.parse(scalar.text(), scalar.textAt(), scalar.oneLine(), compiler, found);
    for (ExpressionProblem problem : found) {
      problems.add(
          new FileProblem(
              FileProblem.EXPRESSION,
              problem.position(),
              problem.message(),
              "Correct the expression."));
    }
    template.expressions().forEach(expression -> refuseUnknownNames(expression, place));
    return template;
  }

  private void refuseUnknownNames(Expression expression, Place place) {
    expression.reach().paths().stream()
        .map(List::getFirst)
        .distinct()
        .filter(root -> ExpressionCompiler.ROOTS.contains(root) && !place.names().contains(root))
        .sorted()
        .forEach(
            root ->
                problems.add(
                    new FileProblem(
                        FileProblem.EXPRESSION,
                        expression.position(),
                        "'%s': '%s' is not known here".formatted(expression.text(), root),
                        "Known here: "
                            + String.join(", ", place.names().stream().sorted().toList())
                            + ".")));
  }

  private @Nullable Template condition(Node node, Place place, String name) {
    if (node instanceof Node.Scalar scalar && scalar.value() instanceof Boolean) {
      return templateOf(scalar, place);
    }
    if (!(node instanceof Node.Scalar scalar) || !(scalar.value() instanceof String)) {
      return wrongType(node, name, "true, false or ${ }");
    }
    Template template = templateOf(scalar, place);
    Expression only = template.onlyExpression();
    if (only == null) {
      return wrongType(node, name, "exactly one ${ } that is true or false");
    }
    if (only.isNeverBoolean()) {
      problems.add(
          new FileProblem(
              FileProblem.EXPRESSION,
              only.position(),
              "'%s' is never true or false".formatted(only.text()),
              "Compare it, for example ${input.total > 0}."));
    }
    return template;
  }

  private @Nullable Duration time(Node node, String name) {
    Duration time =
        node instanceof Node.Scalar scalar && scalar.value() instanceof String text
            ? Durations.parse(text)
            : null;
    return time != null ? time : wrongType(node, name, "a duration such as 10s, 5m, 24h, 30d");
  }

  private @Nullable Long whole(Node node, Type.Whole type, String name) {
    if (node instanceof Node.Scalar scalar
        && scalar.value() instanceof Long number
        && number >= type.least()
        && number <= type.most()) {
      return number;
    }
    return wrongType(
        node, name, "a whole number from %d to %d".formatted(type.least(), type.most()));
  }

  private @Nullable Double real(Node node, Type.Real type, String name) {
    if (node instanceof Node.Scalar scalar && scalar.value() instanceof Number number) {
      double value =
          number instanceof BigDecimal decimal ? decimal.doubleValue() : number.doubleValue();
      if (value >= type.least() && value <= type.most()) {
        return value;
      }
    }
    return wrongType(
        node, name, "a number from %s to %s".formatted(plain(type.least()), plain(type.most())));
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  private @Nullable Boolean flag(Node node, String name) {
    return (node instanceof Node.Scalar scalar && scalar.value() instanceof Boolean flag)
        ? flag
        : wrongType(node, name, "true or false");
  }

  private ValueTemplate value(Node node, Place place) {
    return switch (node) {
      case Node.Scalar scalar when scalar.value() instanceof String ->
          new ValueTemplate.Text(templateOf(scalar, place));
      case Node.Scalar scalar -> new ValueTemplate.Constant(scalar.position(), scalar.value());
      case Node.Mapping mapping -> mapping(mapping, place);
      case Node.Sequence sequence ->
          new ValueTemplate.Sequence(
              sequence.position(),
              sequence.elements().stream().map(element -> value(element, place)).toList());
    };
  }

  private ValueTemplate.Mapping mapping(Node.Mapping mapping, Place place) {
    var members = new LinkedHashMap<String, ValueTemplate>();
    mapping.entries().forEach(entry -> members.put(entry.key(), value(entry.value(), place)));
    return new ValueTemplate.Mapping(mapping.position(), members);
  }

  private @Nullable ValueTemplate members(Node node, Place place, String name) {
    return node instanceof Node.Mapping mapping
        ? mapping(mapping, place)
        : wrongType(node, name, "a mapping");
  }

  public @Nullable JsonSchema schema(Node node, String name) {
    if (!(node instanceof Node.Mapping mapping)) {
      return wrongType(node, name, "a JSON Schema, such as {type: object}");
    }
    try {
      return JsonSchema.of(Json.tree(Json.write(mapping.plain())));
    } catch (IllegalArgumentException e) {
      return problem(
          FileProblem.SCHEMA,
          node.position(),
          "%s is not a valid JSON Schema: %s".formatted(name, e.getMessage()),
          "Correct it; see https://json-schema.org/draft/2020-12.");
    }
  }

  private @Nullable List<String> texts(Node node, String name) {
    if (!(node instanceof Node.Sequence sequence)) {
      return wrongType(node, name, "a list of texts");
    }
    var texts = new ArrayList<String>();
    for (Node element : sequence.elements()) {
      String text = text(element, new Type.Text(null, "finance"), name);
      if (text != null) {
        texts.add(text);
      }
    }
    return texts;
  }

  private @Nullable List<String> distinctTexts(Node node, Type.DistinctTexts type, String name) {
    if (!(node instanceof Node.Sequence sequence)) {
      return wrongType(node, name, "a list such as [%s]".formatted(type.each().example()));
    }
    if (sequence.elements().size() > type.most()) {
      return problem(
          FileProblem.SCHEMA,
          node.position(),
          "%s: expected at most %d, got %d"
              .formatted(name, type.most(), sequence.elements().size()),
          "Remove some of them.");
    }
    var texts = new LinkedHashSet<String>();
    for (Node element : sequence.elements()) {
      String text = text(element, type.each(), name);
      if (text != null && !texts.add(text)) {
        problem(
            FileProblem.SCHEMA,
            element.position(),
            "%s: '%s' is in the list twice".formatted(name, text),
            "Remove one of them.");
      }
    }
    return List.copyOf(texts);
  }

  private @Nullable List<Integer> statuses(Node node, String name) {
    if (!(node instanceof Node.Sequence sequence)) {
      return wrongType(node, name, "a list of HTTP status codes such as [409]");
    }
    var statuses = new ArrayList<Integer>();
    for (Node element : sequence.elements()) {
      Long status = whole(element, new Type.Whole(100, 599), name);
      if (status != null) {
        statuses.add(status.intValue());
      }
    }
    return statuses;
  }

  private @Nullable List<Fields> list(Node node, Shape shape, String name) {
    if (!(node instanceof Node.Sequence sequence)) {
      return wrongType(node, name, "a list, each entry %s".formatted(shape.what()));
    }
    var all = new ArrayList<Fields>();
    for (Node element : sequence.elements()) {
      int breaksBefore = breaks;
      Fields fields = read(element, shape);
      if (shape.isPart()) {
        breaks = breaksBefore; // the list can be used without it
      }
      if (fields != null) {
        all.add(fields);
      }
    }
    if (sequence.elements().isEmpty()) {
      problem(
          FileProblem.SCHEMA,
          node.position(),
          "%s is empty".formatted(name),
          "Add an entry, or remove it.");
    }
    return all;
  }

  private @Nullable Map<String, List<Fields>> branches(Node node, Shape shape, String name) {
    if (!(node instanceof Node.Mapping mapping)) {
      return wrongType(node, name, "a mapping of names to lists of steps");
    }
    var branches = new LinkedHashMap<String, List<Fields>>();
    for (Node.Entry entry : mapping.entries()) {
      List<Fields> steps = list(entry.value(), shape, entry.key());
      if (steps != null) {
        branches.put(entry.key(), steps);
      }
    }
    if (mapping.entries().isEmpty()) {
      problem(FileProblem.SCHEMA, node.position(), "%s is empty".formatted(name), "Add a branch.");
    }
    return branches;
  }

  private @Nullable Object wordOr(Node node, Type.WordOr type, String name) {
    return node instanceof Node.Scalar
        ? word(node, type.words(), name)
        : read(node, shapes.named(type.shape()));
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // always null
  private <T> @Nullable T wrongType(Node node, String name, String expected) {
    String found =
        node instanceof Node.Scalar scalar && scalar.value() != null
            ? "'" + shortened(scalar.text()) + "'"
            : node.kind();
    return problem(
        FileProblem.TYPE,
        node.position(),
        "%s: expected %s, got %s".formatted(name, expected, found),
        "Write %s.".formatted(expected));
  }

  private static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() <= 40 ? line : line.substring(0, 40) + "…";
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // always null
  private <T> @Nullable T problem(String rule, Position at, String message, String fix) {
    incomplete = true;
    breaks++;
    problems.add(new FileProblem(rule, at, message, fix));
    return null;
  }
}
