package dev.hapax.flows.step;

import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A question to a language model. Its effect is what it costs: the answer is recorded in the ledger
 * before anything depends on it, and no replay, retry or other node asks again.
 *
 * @param prompt null if the file gives messages
 * @param messages null if the file gives a prompt
 * @param schema of the answer; null if any text is one
 * @param temperature null for the provider's own
 * @param ttl of answers that other runs find; null if there are none
 */
record LlmStep(
    Position position,
    String connection,
    Template model,
    @Nullable ValueTemplate prompt,
    @Nullable ValueTemplate messages,
    @Nullable Template system,
    @Nullable JsonSchema schema,
    int maxTokens,
    @Nullable BigDecimal temperature,
    int repairs,
    List<ModelTool> tools,
    int maxRounds,
    Cache cache,
    @Nullable Duration ttl,
    Budgets budgets)
    implements FlowStepKind {
  /** Where an answer is found again. */
  enum Cache {
    RUN,
    FLOW,
    TENANT,
    NONE
  }

  /** What model calls may cost; null is no limit. */
  record Budgets(@Nullable BigDecimal run, @Nullable BigDecimal flow, @Nullable BigDecimal day) {
    String words() {
      String words =
          Stream.of(words(run, "run"), words(flow, "flow"), words(day, "flow and day"))
              .filter(one -> !one.isEmpty())
              .collect(Collectors.joining(", "));
      return words.isEmpty() ? "none in this file" : words;
    }

    private static String words(@Nullable BigDecimal most, String of) {
      return most == null
          ? ""
          : "%s per %s".formatted(most.stripTrailingZeros().toPlainString(), of);
    }
  }

  /** A model takes longer than other services. */
  static final Duration USUAL_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration USUAL_TTL = Duration.ofDays(7);
  private static final int MOST_TOKENS = 1_000_000;
  private static final double MOST_BUDGET = 1_000_000_000;
  private static final String TTL = "ttl";

  static final StepForm FORM =
      StepForm.mapping(
          "llm",
          "A question to a language model.",
          LlmStep::read,
          Shape.of("llm", "llm")
              .must("connection", Types.CONNECTION, "The provider.")
              .must("model", Types.TEMPLATE, "The name of the model at the provider.")
              .either("prompt", Types.VALUE, "The question; a value that is no text becomes JSON.")
              .either(
                  "messages",
                  Types.VALUE,
                  "The conversation: a list of `{role, content}` with role `user`, `assistant` or"
                      + " `system`.")
              .may("system", Types.TEMPLATE, "What the model is told before the conversation.")
              .may(
                  "schema",
                  new Type.Schema(),
                  "JSON Schema of the answer, which must be an object; the answer is then in"
                      + " `output.value`.")
              .must(
                  "maxTokens",
                  new Type.Whole(1, MOST_TOKENS),
                  "The most tokens of one answer; with the prices it bounds what a call can cost.")
              .may(
                  "temperature",
                  new Type.Real(0, 2),
                  "How much the model varies; default is the provider's.")
              .may(
                  "repairs",
                  new Type.Whole(0, 5),
                  "How often the model may correct an answer that does not fit the schema; default"
                      + " 1.")
              .may("tools", new Type.ListOf("tool"), "Flows that the model may run.")
              .may(
                  "maxRounds",
                  new Type.Whole(1, 50),
                  "How often the model may use tools before it must answer; default 8.")
              .may(
                  "cache",
                  Types.words("run", "flow", "tenant", "none"),
                  "Where the same question finds its answer again; default `run`.")
              .may(
                  TTL,
                  Types.TIME,
                  "How long other runs find the answer, with cache `flow` or `tenant`; default 7d.")
              .may("budget", new Type.Of("modelBudget"), "What model calls may cost.")
              .build(),
          Shape.of("modelBudget", "a budget")
              .may(
                  "run",
                  new Type.Real(0, MOST_BUDGET),
                  "What all model calls of the run may cost, in the currency of the connection's"
                      + " prices.")
              .may(
                  "flow",
                  new Type.Real(0, MOST_BUDGET),
                  "What all model calls of the flow may cost, of all runs together.")
              .may(
                  "day",
                  new Type.Real(0, MOST_BUDGET),
                  "What all model calls of the flow may cost on one day (UTC).")
              .build(),
          ModelTool.SHAPE);

  private static LlmStep read(StepSource source) {
    Fields llm = source.fields();
    Cache cache = llm.word(Cache.class, "cache", Cache.RUN);
    boolean isShared = cache == Cache.FLOW || cache == Cache.TENANT;
    if (llm.has(TTL) && !isShared) {
      source.problem(
          FileProblem.SCHEMA,
          llm.position(TTL),
          "ttl is for answers that other runs find, and cache '%s' keeps none for them"
              .formatted(llm.text("cache", "run")),
          "Remove ttl, or use cache: flow.");
    }
    List<ModelTool> tools =
        llm.<Fields>list("tools").stream().filter(Fields::isSound).map(ModelTool::read).toList();
    Set<String> names = new HashSet<>();
    for (ModelTool tool : tools) {
      if (!names.add(tool.name())) {
        source.problem(
            FileProblem.SCHEMA,
            llm.position("tools"),
            "two tools are called '%s', so the model could not tell them apart"
                .formatted(tool.name()),
            "Give one of them another name.");
      }
    }
    Fields budget = llm.fields("budget");
    return new LlmStep(
        source.position(),
        llm.text("connection"),
        llm.template("model"),
        llm.valueOrNull("prompt"),
        llm.valueOrNull("messages"),
        llm.templateOrNull("system"),
        llm.schema("schema"),
        llm.whole("maxTokens", 1),
        decimal(llm, "temperature"),
        llm.whole("repairs", 1),
        tools,
        llm.whole("maxRounds", 8),
        cache,
        isShared ? llm.time(TTL, USUAL_TTL) : null,
        budget == null
            ? new Budgets(null, null, null)
            : new Budgets(decimal(budget, "run"), decimal(budget, "flow"), decimal(budget, "day")));
  }

  private static @Nullable BigDecimal decimal(Fields fields, String name) {
    return fields.has(name) ? BigDecimal.valueOf(fields.real(name, 0)) : null;
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(model, prompt, messages, system);
  }

  @Override
  public Object run(StepRun step) {
    return new ModelConversation(step, this).run();
  }

  Duration timeout(StepRun step) {
    Duration given = step.step().timeout();
    return given == null ? USUAL_TIMEOUT : given;
  }

  @Override
  public Stream<String> connections() {
    return Stream.of(connection);
  }

  @Override
  public ConnectionKind connectionKind() {
    return ConnectionKind.MODEL;
  }

  @Override
  public List<String> toolFlows() {
    return tools.stream().map(ModelTool::flow).distinct().toList();
  }

  @Override
  public @Nullable JsonSchema modelSchema() {
    return schema;
  }

  @Override
  public Asked asked() {
    String found =
        switch (cache) {
          case RUN -> "the recorded answer, in the whole run";
          case FLOW -> "the recorded answer, in all runs of the flow";
          case TENANT -> "the recorded answer, in all runs of all flows";
          case NONE -> "the recorded answer, only in this step and item";
        };
    return new Asked(maxTokens, found, budgets.words());
  }

  @Override
  public boolean onlyReads() {
    return tools.isEmpty();
  }

  @Override
  public boolean isWrittenByModel() {
    return true;
  }

  @Override
  public boolean keepsItsAnswer() {
    return cache != Cache.NONE;
  }

  @Override
  public String description() {
    return "ask model " + model.plain();
  }

  @Override
  public @Nullable String note() {
    return tools.isEmpty() ? null : "may run " + String.join(", ", toolFlows());
  }
}
