package dev.hapax.flows.file;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Rate;
import dev.hapax.flows.alert.AlertReader;
import dev.hapax.flows.expression.ExpressionCompiler;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepReader;
import dev.hapax.flows.trigger.TriggerReader;
import dev.hapax.flows.yaml.FieldReader;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Salvage;
import dev.hapax.flows.yaml.Yaml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a flow file. Executes nothing in it, and asks nothing outside of it. */
public final class FlowReader {
  /** More would bury the first, and make a small file a large answer. */
  private static final int MOST_PROBLEMS = 200;

  /** The text is read once more for each. */
  private static final int MOST_SYNTAX_ERRORS = 5;

  private final List<FileProblem> problems = new ArrayList<>();
  private boolean whole;

  private FlowReader() {}

  /**
   * The contents of a file, as far as it can be read.
   *
   * @param file null if a part is missing or has the wrong type, so that no flow can be made
   * @param parts what could be read, to be checked and never to be run: the file itself, or its
   *     sound steps and triggers; null if nothing could be read
   */
  public record Result(
      @Nullable FlowFile file, @Nullable FlowFile parts, List<FileProblem> problems) {}

  /**
   * Reads the text of a file.
   *
   * @param name of the file, for positions
   */
  public static Result read(String name, String text) {
    var reader = new FlowReader();
    FlowFile parts = reader.partsOf(name, text);
    return new Result(
        reader.whole ? parts : null,
        parts,
        reader.problems.stream()
            .distinct()
            .sorted((a, b) -> a.position().compareTo(b.position()))
            .limit(MOST_PROBLEMS)
            .toList());
  }

  private @Nullable FlowFile partsOf(String name, String text) {
    var ids = new LinkedHashMap<String, Position>();
    Node root = rootOf(name, text, ids);
    if (root == null) {
      return null;
    }
    boolean soundYaml = problems.isEmpty();
    if (!new FileLimits(FlowShapes.ALL, problems).hold(root)) {
      return null;
    }
    collectIds(root, ids);
    var fields =
        new FieldReader(
            FlowShapes.ALL, new ExpressionCompiler(inputSchema(root), ids.keySet()), problems);
    Fields flow = fields.read(root, FlowShapes.ALL.named(FlowShapes.FLOW));
    if (flow == null) {
      return null;
    }
    FlowFile file = flowOf(flow);
    this.whole = soundYaml && !fields.isIncomplete();
    return whole ? file : file.withSteps(withUnread(file, ids));
  }

  /**
   * Reads a text; of one with syntax errors in some steps or triggers, the rest. If that fails, the
   * errors may not be where they seem to be, and only the first one is reported.
   */
  private @Nullable Node rootOf(String name, String text, Map<String, Position> unreadIds) {
    var found = new ArrayList<FileProblem>();
    String rest = text;
    int ofFirst = 0;
    for (int i = 0; i < MOST_SYNTAX_ERRORS; i++) {
      Node root = new Yaml(name, found).read(rest);
      if (root != null) {
        problems.addAll(found);
        return root;
      }
      ofFirst = i == 0 ? found.size() : ofFirst;
      Position error = found.getLast().position();
      Salvage salvage = Salvage.of(rest, error.line());
      if (salvage == null) {
        break;
      }
      salvage.ids().forEach(id -> unreadIds.put(id, error));
      rest = salvage.rest();
    }
    problems.addAll(found.subList(0, ofFirst));
    return null;
  }

  /**
   * Puts the steps that could not be read before the others, so that no reference to one of them
   * seems to be wrong.
   */
  private static List<FlowStep> withUnread(FlowFile file, Map<String, Position> ids) {
    var unread = new LinkedHashMap<>(ids);
    file.allSteps().forEach(step -> unread.remove(step.id()));
    var steps = new ArrayList<FlowStep>();
    unread.forEach((id, position) -> steps.add(FlowStep.unread(id, position)));
    steps.addAll(file.steps());
    return steps;
  }

  /** Read first, because it gives the expressions their types. Its problems are reported later. */
  private static tools.jackson.databind.@Nullable JsonNode inputSchema(Node root) {
    Node input = root instanceof Node.Mapping mapping ? mapping.get("input") : null;
    if (input == null) {
      return null;
    }
    JsonSchema schema =
        new FieldReader(FlowShapes.ALL, new ExpressionCompiler(null, Set.of()), new ArrayList<>())
            .schema(input, "input");
    return schema == null ? null : schema.source();
  }

  private static void collectIds(Node node, Map<String, Position> ids) {
    switch (node) {
      case Node.Mapping mapping -> {
        if (mapping.get("id") instanceof Node.Scalar id) {
          ids.putIfAbsent(id.text(), id.position());
        }
        mapping.entries().forEach(entry -> collectIds(entry.value(), ids));
      }
      case Node.Sequence sequence -> sequence.elements().forEach(inner -> collectIds(inner, ids));
      case Node.Scalar _ -> {}
    }
  }

  private FlowFile flowOf(Fields flow) {
    Fields concurrency = sound(flow.fields("concurrency"));
    var file =
        new FlowFile(
            flow.position(FlowShapes.FLOW),
            flow.text(FlowShapes.FLOW, FlowShapes.FLOW),
            flow.textOrNull("description"),
            flow.list("labels"),
            flow.textOrNull("runbook"),
            flow.schema("input"),
            flow.templateOrNull("key"),
            new SearchableReader(problems).read(flow.members("searchable")),
            new SearchableReader(problems).subject(flow.templateOrNull("subject")),
            flow.word(Flow.Conflict.class, "conflict", Flow.Conflict.REJECT),
            flow.time("retention", Flow.DEFAULT_RETENTION),
            flow.word(Flow.AfterRetention.class, "afterRetention", Flow.AfterRetention.EXPIRED),
            concurrency == null
                ? null
                : new FlowFile.Concurrency(
                    concurrency.templateOrNull("key"),
                    concurrency.whole("limit", 1),
                    concurrency.word(Overflow.class, "overflow", Overflow.QUEUE)),
            rate(sound(flow.fields("rate"))),
            flow.word(Flow.OnNewRelease.class, "onNewRelease", Flow.OnNewRelease.COEXIST),
            flow.word(Flow.OnFailure.class, "onFailure", Flow.OnFailure.STOP),
            flow.time("timeout"),
            AlertReader.read(sound(flow.fields("alerts")), problems::add),
            flow.has("expose"),
            TriggerReader.read(flow.list("triggers"), problems::add),
            new StepReader(problems).steps(flow.list("steps")),
            flow.valueOrNull("output"));
    refuseDuplicateIds(file);
    return file;
  }

  private static @Nullable Fields sound(@Nullable Fields fields) {
    return fields == null || fields.isSound() ? fields : null;
  }

  private @Nullable Rate rate(@Nullable Fields rate) {
    if (rate == null) {
      return null;
    }
    try {
      return new Rate(rate.whole("limit", 1), rate.time("per", Duration.ofSeconds(1)));
    } catch (IllegalArgumentException e) {
      problems.add(
          new FileProblem(
              FileProblem.TYPE,
              rate.position("per"),
              String.valueOf(e.getMessage()),
              "Give a duration such as 1s, 1m, 1h."));
      return null;
    }
  }

  private void refuseDuplicateIds(FlowFile file) {
    Map<String, Position> seen = new HashMap<>();
    for (FlowStep step : file.allSteps()) {
      Position first = seen.putIfAbsent(step.id(), step.position());
      if (first != null) {
        problems.add(
            new FileProblem(
                FileProblem.DUPLICATE_ID,
                step.position(),
                "step id '%s' is already used at line %d".formatted(step.id(), first.line()),
                "Give each step its own id, also in branches: a run finds its steps by their"
                    + " ids."));
      }
    }
  }
}
