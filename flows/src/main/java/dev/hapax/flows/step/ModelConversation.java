package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.OnDoubt;
import dev.hapax.flow.OnFailed;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.model.ModelQuestion;
import dev.hapax.flows.model.ModelRequests;
import dev.hapax.flows.model.ReducedSchema;
import dev.hapax.flows.model.ToolAnswer;
import dev.hapax.flows.model.Turn;
import dev.hapax.flows.model.WantedTool;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All questions of one {@code llm} step: the first, one after each round of tools, and one for each
 * correction. Each is an effect of its own with the hash of the question as its key, so an answer
 * that is in the ledger is never paid for again. Everything here is computed from recorded answers.
 */
final class ModelConversation {
  private final StepRun step;
  private final LlmStep kind;
  private final List<Turn> turns = new ArrayList<>();
  private final ModelUsage usage = new ModelUsage();
  private int questions;
  private int repairs;
  private int rounds;

  ModelConversation(StepRun step, LlmStep kind) {
    this.step = step;
    this.kind = kind;
  }

  Object run() {
    ModelPrompt prompt = Guarded.prepared(step, () -> ModelPrompt.of(step, kind));
    ModelPlace place = step.isDraft() ? ModelPlace.NONE : place();
    turns.addAll(prompt.turns());
    while (true) {
      Map<?, ?> answer = ask(prompt, place);
      List<?> calls = answer.get("calls") instanceof List<?> some ? some : List.of();
      if (!calls.isEmpty()) {
        useTools(answer, calls);
      } else if (answer.get("problems") instanceof List<?> problems && !problems.isEmpty()) {
        repairs++;
        turns.add(new Turn.Said("assistant", shown(text(answer))));
        turns.add(new Turn.Said("user", correction(problems)));
      } else {
        return output(answer);
      }
    }
  }

  private static String text(Map<?, ?> answer) {
    return String.valueOf(answer.get("text"));
  }

  /** Providers refuse a turn without text. */
  private static String shown(String text) {
    return text.isBlank() ? "(no answer)" : text;
  }

  private static String correction(List<?> problems) {
    var text = new StringBuilder("Your answer does not fit its JSON Schema:\n");
    problems.forEach(problem -> text.append("- ").append(problem).append('\n'));
    return text.append("Answer again, with the whole corrected JSON and nothing else.").toString();
  }

  private Map<String, @Nullable Object> output(Map<?, ?> answer) {
    var output = new LinkedHashMap<String, @Nullable Object>();
    output.put("text", answer.get("text"));
    output.put("value", answer.get("value"));
    output.put("finish", answer.get("finish"));
    output.put("model", answer.get("model"));
    output.put("cached", usage.isCached());
    output.put("usage", usage.output());
    return output;
  }

  // ---- questions

  private Map<?, ?> ask(ModelPrompt prompt, ModelPlace place) {
    String name = questions == 0 ? step.id() : step.id() + "." + (questions + 1);
    questions++;
    if (step.isDraft()) {
      return drafted(prompt, name);
    }
    ModelMessage message = message(prompt, place);
    Object answer;
    try {
      answer = asked(name, effect(message, place, isShared()));
    } catch (StepFailed e) {
      if (!e.code().equals("effect-expired")) {
        throw e;
      }
      name = name + ".again"; // the ledger only knows that it was asked once
      answer = asked(name, effect(message, place, false));
    }
    if (!(answer instanceof Map<?, ?> map)) {
      throw step.failed(
          "model-answer",
          "the question was settled by hand without an answer. Settle it with one.");
    }
    usage.add(map, step.run().outcome(name).reused());
    return map;
  }

  private boolean isShared() {
    return kind.cache() == LlmStep.Cache.FLOW || kind.cache() == LlmStep.Cache.TENANT;
  }

  private @Nullable Object asked(String name, Effect<ModelMessage> effect) {
    var attempt = new ModelAttempt(step, kind, isLastRepair(), canUseTools());
    return step.run()
        .effect(name, effect, (_, stored) -> attempt.ask(name, effect.key(), stored), Object.class);
  }

  private boolean isLastRepair() {
    return repairs >= kind.repairs();
  }

  private boolean canUseTools() {
    return rounds < kind.maxRounds();
  }

  /** Asking again after a crash does no harm, but for its price. */
  private Effect<ModelMessage> effect(ModelMessage message, ModelPlace place, boolean isShared) {
    String hash = hash(message, place);
    var draft = isShared ? Effect.create(hash) : Effect.additive(hash);
    return draft
        .request(message)
        .unguarded(OnDoubt.REPEAT)
        .name(
            kind.cache() == LlmStep.Cache.TENANT && isShared
                ? ModelEffect.ofTenant()
                : ModelEffect.of(flow()))
        .to(step.services().destination(kind.connection()))
        .retry(step.step().retryPolicy())
        .timeout(kind.timeout(step));
  }

  private String flow() {
    return String.valueOf(
        step.scope().value("run") instanceof Map<?, ?> facts ? facts.get("flow") : "");
  }

  private String hash(ModelMessage message, ModelPlace place) {
    var all = new ArrayList<@Nullable Object>();
    all.add(message);
    all.add(place.period());
    all.add(kind.schema() == null ? null : kind.schema().source().toString());
    if (kind.cache() == LlmStep.Cache.NONE) {
      all.add(step.id());
      all.add(step.item());
    }
    return HexFormat.of().formatHex(Digest.sha256(CanonicalJson.of(Json.write(all))));
  }

  /**
   * Recorded, because a connection may change while the run waits, and then the question must stay
   * the same.
   */
  private ModelPlace place() {
    return step.run()
        .read(
            step.id() + ".provider",
            step.read(null),
            () ->
                ModelPlace.of(
                    step.services().connection(kind.connection(), Connection.Model.class),
                    period()),
            ModelPlace.class);
  }

  /** Answers that other runs find end with a period of this length; the run stays in its own. */
  private @Nullable Long period() {
    if (kind.ttl() == null) {
      return null;
    }
    String place = step.item() == null ? step.id() : step.id() + "/" + step.item();
    long now = step.services().clock().now().toEpochMilli();
    return step.services()
        .spend()
        .remember(step.run().id(), place, now / Math.max(1, kind.ttl().toMillis()));
  }

  private ModelMessage message(ModelPrompt prompt, ModelPlace place) {
    var question =
        new ModelQuestion(
            prompt.model(),
            prompt.system(),
            List.copyOf(turns),
            schema(),
            kind.tools().stream().map(ModelTool::form).toList(),
            canUseTools(),
            kind.maxTokens(),
            kind.temperature());
    return new ModelMessage(
        kind.connection(),
        place.dialect().word(),
        place.url(),
        prompt.model(),
        kind.maxTokens(),
        ModelRequests.body(place.dialect(), question, place.lengthField()));
  }

  private @Nullable Map<String, Object> schema() {
    return kind.schema() == null
        ? null
        : ReducedSchema.of(
            (Map<?, ?>)
                Objects.requireNonNull(Json.read(kind.schema().source().toString(), Object.class)));
  }

  private Map<?, ?> drafted(ModelPrompt prompt, String name) {
    return sample(prompt, name) instanceof Map<?, ?> map
        ? ModelDraft.completed(map, prompt.model())
        : Map.of();
  }

  private @Nullable Object sample(ModelPrompt prompt, String name) {
    return step.run()
        .step(
            name,
            () -> step.sample(ModelDraft.answer(prompt.model(), kind.schema())),
            Object.class);
  }

  // ---- tools

  private void useTools(Map<?, ?> answer, List<?> calls) {
    rounds++;
    if (rounds > kind.maxRounds()) {
      throw step.failed(
          "too-many-rounds",
          "the model wanted to use tools in more than %d rounds. Raise maxRounds, or tell the model when to stop."
              .formatted(kind.maxRounds()));
    }
    List<WantedTool> wanted = new ArrayList<>();
    List<ToolAnswer> answers = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Map<?, ?> call = calls.get(i) instanceof Map<?, ?> map ? map : Map.of();
      var one =
          new WantedTool(
              String.valueOf(call.get("id")),
              String.valueOf(call.get("tool")),
              String.valueOf(call.get("input")));
      wanted.add(one);
      answers.add(used(one, "%s.round-%d.call-%d".formatted(step.id(), rounds, i + 1)));
    }
    turns.add(new Turn.Asked(text(answer), wanted));
    turns.add(new Turn.Told(answers));
  }

  /** What the model does wrong, the model is told: it may correct itself. */
  private ToolAnswer used(WantedTool call, String name) {
    ModelTool tool =
        kind.tools().stream()
            .filter(one -> one.name().equals(call.tool()))
            .findFirst()
            .orElse(null);
    if (tool == null) {
      return refused(call, "there is no tool '%s'".formatted(call.tool()));
    }
    Object input;
    try {
      input = call.input().isBlank() ? Map.of() : Json.read(call.input(), Object.class);
    } catch (NotSerializable e) {
      return refused(call, "its input is no JSON");
    }
    List<String> problems = tool.input().problems(input);
    if (!problems.isEmpty()) {
      return refused(call, "its input does not fit: " + String.join("; ", problems));
    }
    Flow<?, ?> flow = step.services().flows().apply(tool.flow());
    if (flow == null) {
      throw step.failed(
          "unknown-flow",
          "there is no flow '%s' here, which is the tool '%s'. Load or register it, then retry the run."
              .formatted(tool.flow(), tool.name()));
    }
    try {
      Object output = child(name, flow, input);
      return new ToolAnswer(call.id(), output == null ? "null" : Json.write(output), false);
    } catch (StepFailed e) {
      return refused(call, "%s: %s".formatted(e.code(), e.getMessage()));
    }
  }

  private static ToolAnswer refused(WantedTool call, String why) {
    return new ToolAnswer(call.id(), "error: " + why, true);
  }

  /** A child run; without a key of its own flow, its key is made of this run, step and call. */
  private <I, O> @Nullable O child(String name, Flow<I, O> flow, @Nullable Object input) {
    I typed = Json.read(input == null ? "{}" : Json.write(input), flow.input());
    return step.run().call(name, flow, null, typed, OnFailed.FAIL);
  }

  /** Sums of what the answers of a step have used. */
  private static final class ModelUsage {
    private long input;
    private long cachedInput;
    private long output;
    private long attempts;
    private BigDecimal cost = BigDecimal.ZERO;
    private boolean isCostKnown = true;
    private boolean isAsked;
    private final List<Object> all = new ArrayList<>();

    void add(Map<?, ?> answer, boolean isReused) {
      if (isReused) {
        return; // who asked has paid
      }
      isAsked = true;
      Map<?, ?> usage = answer.get("usage") instanceof Map<?, ?> map ? map : Map.of();
      input += number(usage.get("inputTokens"));
      cachedInput += number(usage.get("cachedInputTokens"));
      output += number(usage.get("outputTokens"));
      attempts += number(usage.get("attempts"));
      if (usage.get("cost") instanceof Number known) {
        cost = cost.add(new BigDecimal(known.toString()));
      } else {
        isCostKnown = false;
      }
      if (usage.get("calls") instanceof List<?> calls) {
        all.addAll(calls);
      }
    }

    private static long number(@Nullable Object value) {
      return value instanceof Number number ? number.longValue() : 0;
    }

    boolean isCached() {
      return !isAsked;
    }

    Map<String, @Nullable Object> output() {
      var usage = new LinkedHashMap<String, @Nullable Object>();
      usage.put("inputTokens", input);
      usage.put("cachedInputTokens", cachedInput);
      usage.put("outputTokens", output);
      usage.put("cost", isCostKnown ? cost : null);
      usage.put("attempts", attempts);
      usage.put("calls", all);
      return usage;
    }
  }
}
