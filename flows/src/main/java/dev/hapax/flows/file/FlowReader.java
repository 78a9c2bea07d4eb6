package dev.hapax.flows.file;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Rate;
import dev.hapax.flows.expression.ExpressionCompiler;
import dev.hapax.flows.expression.Position;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a flow file. Executes nothing in it, and asks nothing outside of it. */
public final class FlowReader {
  private static final int MOST_STEPS = 1_000;

  private final List<FileProblem> problems = new ArrayList<>();

  private FlowReader() {}

  /**
   * The contents of a file, as far as it can be read.
   *
   * @param file null if a part is missing or has the wrong type, so that no flow can be made
   */
  public record Result(@Nullable FlowFile file, List<FileProblem> problems) {}

  /**
   * Reads the text of a file.
   *
   * @param name of the file, for positions
   */
  public static Result read(String name, String text) {
    var reader = new FlowReader();
    FlowFile file = reader.fileOf(name, text);
    return new Result(
        file,
        reader.problems.stream()
            .distinct()
            .sorted((a, b) -> a.position().compareTo(b.position()))
            .toList());
  }

  private @Nullable FlowFile fileOf(String name, String text) {
    Node root = new Yaml(name, problems).read(text);
    if (root == null) {
      return null;
    }
    boolean soundYaml = problems.isEmpty();
    var ids = new HashSet<String>();
    collectIds(root, ids);
    var fields = new FieldReader(new ExpressionCompiler(inputSchema(root), ids), problems);
    Fields flow = fields.read(root, Shapes.named("flow"));
    if (flow == null || fields.isIncomplete() || !soundYaml) {
      return null;
    }
    return flowOf(flow);
  }

  /** Read first, because it gives the expressions their types. Its problems are reported later. */
  private static tools.jackson.databind.@Nullable JsonNode inputSchema(Node root) {
    Node input = root instanceof Node.Mapping mapping ? mapping.get("input") : null;
    if (input == null) {
      return null;
    }
    JsonSchema schema =
        new FieldReader(new ExpressionCompiler(null, Set.of()), new ArrayList<>())
            .schema(input, "input");
    return schema == null ? null : schema.source();
  }

  private static void collectIds(Node node, Set<String> ids) {
    switch (node) {
      case Node.Mapping mapping -> {
        if (mapping.get("id") instanceof Node.Scalar id) {
          ids.add(id.text());
        }
        mapping.entries().forEach(entry -> collectIds(entry.value(), ids));
      }
      case Node.Sequence sequence -> sequence.elements().forEach(inner -> collectIds(inner, ids));
      case Node.Scalar _ -> {}
    }
  }

  private @Nullable FlowFile flowOf(Fields flow) {
    Fields concurrency = flow.fields("concurrency");
    var file =
        new FlowFile(
            flow.position("flow"),
            flow.text("flow"),
            flow.textOrNull("description"),
            flow.schema("input"),
            flow.templateOrNull("key"),
            word(Flow.Conflict.class, flow.text("conflict", "reject")),
            flow.time("retention", Flow.DEFAULT_RETENTION),
            word(Flow.AfterRetention.class, flow.text("afterRetention", "expired")),
            concurrency == null
                ? null
                : new FlowFile.Concurrency(
                    concurrency.templateOrNull("key"),
                    concurrency.whole("limit", 1),
                    word(Overflow.class, concurrency.text("overflow", "queue"))),
            rate(flow.fields("rate")),
            word(Flow.OnNewRelease.class, flow.text("onNewRelease", "coexist")),
            word(Flow.OnFailure.class, flow.text("onFailure", "stop")),
            flow.time("timeout"),
            triggers(flow),
            new StepReader(problems).steps(flow.list("steps")),
            flow.valueOrNull("output"));
    refuseDuplicateIds(file);
    return hasTooManySteps(file) ? null : file;
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
              "Give a length of time such as 1s, 1m, 1h."));
      return null;
    }
  }

  /** If so, no rule is applied: some compare each step with each. */
  private boolean hasTooManySteps(FlowFile file) {
    List<Step> steps = file.allSteps();
    if (steps.size() <= MOST_STEPS) {
      return false;
    }
    problems.add(
        new FileProblem(
            FileProblem.SCHEMA,
            steps.get(MOST_STEPS).position(),
            "a flow has at most %,d steps".formatted(MOST_STEPS),
            "Make flows of its parts, and call them."));
    return true;
  }

  private void refuseDuplicateIds(FlowFile file) {
    Map<String, Position> seen = new HashMap<>();
    for (Step step : file.allSteps()) {
      Position first = seen.putIfAbsent(step.id(), step.position());
      if (first != null) {
        problems.add(
            new FileProblem(
                FileProblem.DUPLICATE_ID,
                step.position(),
                "step id '%s' stands already at line %d".formatted(step.id(), first.line()),
                "Give each step an id of its own, also in branches: the run finds its steps again by it."));
      }
    }
  }

  private List<Trigger> triggers(Fields flow) {
    var triggers = new ArrayList<Trigger>();
    for (Fields trigger : flow.<Fields>list("triggers")) {
      String kind = trigger.alternative();
      Fields fields = trigger.fieldsOf(kind);
      Trigger read =
          switch (kind) {
            case "webhook" -> webhook(trigger.position(kind), fields);
            case "schedule" -> schedule(trigger.position(kind), fields);
            default ->
                new Trigger.Queue(
                    trigger.position(kind),
                    fields.text("connection"),
                    fields.text("queue"),
                    fields.templateOrNull("event"),
                    fields.valueOrNull("input"));
          };
      if (read != null) {
        triggers.add(read);
      }
    }
    return triggers;
  }

  private Trigger webhook(Position position, Fields webhook) {
    Fields verify = webhook.fieldsOf("verify");
    Trigger.Scheme scheme = word(Trigger.Scheme.class, verify.text("scheme"));
    if (scheme != Trigger.Scheme.NONE && !verify.has("secret")) {
      problems.add(
          new FileProblem(
              FileProblem.SCHEMA,
              verify.position(),
              "verify needs 'secret' for scheme %s".formatted(verify.text("scheme")),
              "Name the secret that the sender signs with."));
    }
    return new Trigger.Webhook(
        position,
        webhook.text("path"),
        new Trigger.Verify(
            verify.position("scheme"),
            scheme,
            verify.textOrNull("secret"),
            verify.textOrNull("header")),
        webhook.templateOrNull("event"),
        webhook.templateOrNull("object"),
        webhook.templateOrNull("version"),
        webhook.templateOrNull("time"),
        webhook.valueOrNull("input"));
  }

  private @Nullable Trigger schedule(Position position, Fields schedule) {
    Cron cron = cron(schedule);
    String zone = schedule.textOrNull("timezone");
    ZoneId timezone = zone == null ? null : zone(schedule, zone);
    if (cron == null || (zone != null && timezone == null)) {
      return null;
    }
    return new Trigger.Schedule(
        position,
        schedule.text("name"),
        cron,
        timezone,
        word(Trigger.CatchUp.class, schedule.text("catchUp", "latest")),
        schedule.valueOrNull("input"));
  }

  private @Nullable Cron cron(Fields schedule) {
    try {
      return Cron.of(schedule.text("cron"));
    } catch (IllegalArgumentException e) {
      problems.add(
          new FileProblem(
              FileProblem.TYPE,
              schedule.position("cron"),
              "cron: expected five fields such as '0 3 * * *', got '%s'"
                  .formatted(schedule.text("cron")),
              "Write minute, hour, day of month, month and weekday."));
      return null;
    }
  }

  private @Nullable ZoneId zone(Fields schedule, String zone) {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      problems.add(
          new FileProblem(
              FileProblem.TYPE,
              schedule.position("timezone"),
              "timezone: expected a zone such as Europe/Berlin, got '%s'".formatted(zone),
              "Use a name of the IANA time zones."));
      return null;
    }
  }

  /** Returns the constant for a word in a file: {@code cancel-running} is CANCEL_RUNNING. */
  static <E extends Enum<E>> E word(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
