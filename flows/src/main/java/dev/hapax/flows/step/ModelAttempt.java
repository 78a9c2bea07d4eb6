package dev.hapax.flows.step;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.AnswerLost;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.LargeBodies;
import dev.hapax.flows.connection.ModelPrices;
import dev.hapax.flows.model.AnswerReader;
import dev.hapax.flows.model.BadAnswer;
import dev.hapax.flows.model.ModelAnswer;
import dev.hapax.flows.model.ModelTokens;
import dev.hapax.json.AnswerRoom;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks once. What the call can cost at most is reserved before the first byte leaves, and settled
 * when it is over. A lost answer is no doubt: nothing happened outside but the price, so the
 * question is asked again by the step's retries.
 */
final class ModelAttempt {
  private static final int MOST_SHOWN = 300;

  /** Bytes around the text of a question that a provider may count as tokens. */
  private static final int OVERHEAD = 1_000;

  private final StepRun step;
  private final LlmStep kind;
  private final boolean isLastRepair;
  private final boolean canUseTools;

  ModelAttempt(StepRun step, LlmStep kind, boolean isLastRepair, boolean canUseTools) {
    this.step = step;
    this.kind = kind;
    this.isLastRepair = isLastRepair;
    this.canUseTools = canUseTools;
  }

  /**
   * Asks the question of an effect.
   *
   * @param question its hash
   */
  Map<String, @Nullable Object> ask(String name, String question, ModelMessage message) {
    Connection.Model model =
        step.services().connection(message.connection(), Connection.Model.class);
    String body = Json.write(message.body());
    ModelPrices.Price price = model.prices().of(message.model());
    BigDecimal atMost = price == null ? null : mostOf(price, body, message.maxTokens());
    List<ModelSpend.Budget> budgets = budgets(model);
    refuseWithoutPrice(model, message, atMost, budgets);
    refuseUnbounded(message, budgets);
    var reservation =
        step.services()
            .spend()
            .reserve(
                new ModelSpend.Wish(
                    step.run().id(),
                    flow(),
                    name,
                    question,
                    message.connection(),
                    message.model(),
                    atMost,
                    budgets));
    var account = new Account(reservation, model, message, price, atMost);
    try {
      return account.call(body);
    } catch (NotApplied | Rejected e) {
      throw e;
    } catch (RuntimeException e) { // not a doubt for a person: asking again does no harm
      throw account.notApplied("failed", "the attempt failed: " + e, null);
    }
  }

  private String flow() {
    return String.valueOf(
        step.scope().value("run") instanceof Map<?, ?> facts ? facts.get("flow") : "");
  }

  /** A token of a text is at least one byte; other parts have {@link #refuseUnbounded}. */
  private static BigDecimal mostOf(ModelPrices.Price price, String body, int maxTokens) {
    long bytes = body.getBytes(StandardCharsets.UTF_8).length + (long) OVERHEAD;
    BigDecimal input = price.input().max(price.cachedInput());
    return new ModelPrices.Price(input, input, price.output()).of(bytes, 0, maxTokens);
  }

  private List<ModelSpend.Budget> budgets(Connection.Model model) {
    List<ModelSpend.Budget> budgets = new ArrayList<>();
    add(
        budgets,
        ModelSpend.Account.RUN,
        "budget.run of step '" + step.id() + "'",
        kind.budgets().run());
    add(
        budgets,
        ModelSpend.Account.FLOW,
        "budget.flow of step '" + step.id() + "'",
        kind.budgets().flow());
    add(
        budgets,
        ModelSpend.Account.FLOW_DAY,
        "budget.day of step '" + step.id() + "'",
        kind.budgets().day());
    add(
        budgets,
        ModelSpend.Account.CONNECTION_DAY,
        "budget.day of connection '" + model.name() + "'",
        model.perDay());
    add(
        budgets,
        ModelSpend.Account.TENANT_DAY,
        "quota modelCostPerDay of the tenant",
        step.services().spend().tenantPerDay());
    return budgets;
  }

  private static void add(
      List<ModelSpend.Budget> budgets,
      ModelSpend.Account account,
      String name,
      @Nullable BigDecimal most) {
    if (most != null) {
      budgets.add(new ModelSpend.Budget(account, name, most));
    }
  }

  private static void refuseWithoutPrice(
      Connection.Model model,
      ModelMessage message,
      @Nullable BigDecimal atMost,
      List<ModelSpend.Budget> budgets) {
    if (atMost == null && !budgets.isEmpty()) {
      throw new Rejected(
          "no-price",
          "%s cannot be kept: connection '%s' has no price for model '%s'. Nothing was sent. Add it to 'prices' of the connection, then retry the run."
              .formatted(budgets.getFirst().name(), model.name(), message.model()));
    }
  }

  private static void refuseUnbounded(ModelMessage message, List<ModelSpend.Budget> budgets) {
    String type = budgets.isEmpty() ? null : UnboundedPart.in(message.body());
    if (type != null) {
      throw new Rejected(
          "no-bound",
          "%s cannot be kept: a message has a part of type '%s', and its bytes do not say how many tokens it costs. Nothing was sent. Send its text in its place, or remove the budget, then retry the run."
              .formatted(budgets.getFirst().name(), type));
    }
  }

  /** One reserved call. */
  private final class Account implements LargeBodies {
    private final ModelSpend.Reservation reservation;
    private final Connection.Model model;
    private final ModelMessage message;
    private final ModelPrices.@Nullable Price price;
    private final @Nullable BigDecimal atMost;
    private final AnswerReader reader;

    Account(
        ModelSpend.Reservation reservation,
        Connection.Model model,
        ModelMessage message,
        ModelPrices.@Nullable Price price,
        @Nullable BigDecimal atMost) {
      this.reservation = reservation;
      this.model = model;
      this.message = message;
      this.price = price;
      this.atMost = atMost;
      this.reader = AnswerReader.of(model.dialect(), step.services().valueBytes());
    }

    // ---- the body of the answer

    @Override
    public int largestValue(int status) {
      return status >= 200 && status < 300 ? 0 : 16 << 10;
    }

    @Override
    public Object keep(InputStream body, String contentType) throws IOException {
      reader.read(body, contentType.toLowerCase(Locale.ROOT));
      return Map.of();
    }

    Map<String, @Nullable Object> call(String body) {
      var headers = new LinkedHashMap<String, String>();
      headers.put("Content-Type", "application/json");
      headers.put("Accept", "text/event-stream, application/json");
      var request =
          new HttpRequest(message.connection(), "POST", model.dialect().path(), headers, body);
      HttpAnswer answer;
      try {
        answer =
            step.services()
                .wayOut()
                .http(model.http(), request, Map.of(), kind.timeout(step), this);
      } catch (AnswerLost e) {
        throw lost(e);
      } catch (NotApplied e) {
        settle("not-sent", BigDecimal.ZERO, ModelTokens.NONE, null);
        throw e;
      } catch (Rejected e) {
        settle(e.code(), BigDecimal.ZERO, ModelTokens.NONE, null);
        throw e;
      }
      if (answer.status() < 200 || answer.status() >= 300) {
        throw refused(answer);
      }
      try {
        if (answer.kept() == null) {
          reader.read(new ByteArrayInputStream(answer.body()), answer.header("content-type", ""));
        }
        return understood(reader.answer());
      } catch (IOException e) {
        throw unusable(e);
      }
    }

    // ---- failures

    private RuntimeException lost(AnswerLost lost) {
      return lost.getCause() instanceof BadAnswer bad
          ? unusable(bad)
          : notApplied("answer-lost", String.valueOf(lost.getMessage()), null);
    }

    private RuntimeException unusable(IOException why) {
      String message = "the answer of the model cannot be used: " + why.getMessage();
      if (why instanceof BadAnswer bad && bad.isFinal()) {
        Spent spent = settle("answer-too-large", null, reader.tokens(), null);
        return new Rejected("answer-too-large", redacted(message) + spent.told());
      }
      return notApplied("bad-answer", message, null);
    }

    /**
     * Tokens may have been used, and the provider does not say how many: the reserved amount
     * counts.
     */
    private NotApplied notApplied(
        String outcome, String message, java.time.@Nullable Duration retryAfter) {
      Spent spent = settle(outcome, null, reader.tokens(), null);
      return new NotApplied(redacted(message) + spent.told(), retryAfter, null);
    }

    private RuntimeException refused(HttpAnswer answer) {
      int status = answer.status();
      String said = new String(answer.body(), StandardCharsets.UTF_8).strip();
      String message = "HTTP %d%s".formatted(status, said.isEmpty() ? "" : ": " + shortened(said));
      var retryAfter = HttpMeaning.retryAfter(answer, step.services().clock().now());
      if (status == 408 || status == 500 || status == 502 || status == 504) {
        return notApplied("http-" + status, message, retryAfter);
      }
      Spent spent = settle("http-" + status, BigDecimal.ZERO, ModelTokens.NONE, null);
      boolean isLater = status >= 500 || status == 429 || status == 425 || status == 409;
      return isLater
          ? new NotApplied(redacted(message) + spent.told(), retryAfter, null)
          : new Rejected("http-" + status, redacted(message) + spent.told());
    }

    private static String shortened(String text) {
      return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }

    private String redacted(String text) {
      return step.services().redact(text);
    }

    // ---- answers

    private Map<String, @Nullable Object> understood(ModelAnswer answer) {
      ModelTokens tokens = answer.tokens();
      BigDecimal cost =
          tokens == null || price == null
              ? null
              : price.of(tokens.input(), tokens.cachedInput(), tokens.output());
      var output = new LinkedHashMap<String, @Nullable Object>();
      output.put("text", step.redacted(answer.text()));
      output.put("value", null);
      output.put("finish", answer.finish().word());
      output.put("model", answer.model());
      switch (answer.finish()) {
        case LENGTH ->
            throw failed(
                "model-length",
                "the answer did not end within maxTokens (%,d), so it is not whole. Raise maxTokens, or ask for less."
                    .formatted(message.maxTokens()),
                cost,
                answer);
        case REFUSAL ->
            throw failed(
                "model-refusal",
                "the model refused to answer: '%s'".formatted(shortened(answer.text())),
                cost,
                answer);
        case FILTER ->
            throw failed("model-filter", "the provider's filter withheld the answer", cost, answer);
        case TOOLS -> {
          if (!canUseTools) {
            throw failed(
                "too-many-rounds",
                "the model wanted to use tools in more than %d rounds. Raise maxRounds, or tell the model when to stop."
                    .formatted(kind.maxRounds()),
                cost,
                answer);
          }
          output.put("calls", step.redacted(calls(answer)));
        }
        case STOP -> addValue(output, answer, cost);
      }
      Spent spent = settle("answered", cost, tokens, answer);
      output.put("usage", spent.usage());
      return output;
    }

    private void addValue(
        Map<String, @Nullable Object> output, ModelAnswer answer, @Nullable BigDecimal cost) {
      if (kind.schema() == null) {
        return;
      }
      List<String> problems;
      try {
        Object value = AnswerRoom.read(withoutFence(answer.text()));
        problems = kind.schema().problems(value).stream().map(Account::shortened).toList();
        output.put("value", step.redacted(value));
      } catch (NotSerializable e) {
        problems = List.of("it is no JSON");
      }
      if (problems.isEmpty()) {
        return;
      }
      output.put("value", null);
      if (isLastRepair) {
        throw failed(
            "model-answer",
            "the answer does not fit its schema after %d repairs: %s. The answer: '%s'"
                .formatted(kind.repairs(), String.join("; ", problems), shortened(answer.text())),
            cost,
            answer);
      }
      output.put("problems", step.redacted(problems));
    }

    /** Many models put JSON into a block of Markdown. */
    private static String withoutFence(String text) {
      String bare = text.strip();
      if (bare.startsWith("```") && bare.endsWith("```") && bare.length() > 6) {
        int line = bare.indexOf('\n');
        return line < 0 ? bare : bare.substring(line + 1, bare.length() - 3);
      }
      return bare;
    }

    private static List<Object> calls(ModelAnswer answer) {
      List<Object> calls = new ArrayList<>();
      answer
          .calls()
          .forEach(
              call ->
                  calls.add(Map.of("id", call.id(), "tool", call.tool(), "input", call.input())));
      return calls;
    }

    private Rejected failed(
        String code, String text, @Nullable BigDecimal cost, ModelAnswer answer) {
      Spent spent = settle(code, cost, answer.tokens(), answer);
      return new Rejected(code, redacted(text) + spent.told());
    }

    // ---- money

    private Spent settle(
        String outcome,
        @Nullable BigDecimal cost,
        @Nullable ModelTokens tokens,
        @Nullable ModelAnswer answer) {
      List<Map<String, Object>> attempts =
          step.services()
              .spend()
              .settle(reservation, new ModelSpend.Settled(outcome, cost, tokens));
      var listener = step.services().modelCalls();
      if (listener != null) {
        listener.accept(
            new ModelCall(
                reservation.wish().flow(),
                message.connection(),
                model.dialect(),
                message.model(),
                outcome,
                answer == null ? null : answer.finish().word(),
                answer == null ? null : answer.model(),
                tokens,
                cost));
      }
      return new Spent(cost, atMost, tokens, attempts);
    }
  }

  /** What a call has cost, for people. */
  private record Spent(
      @Nullable BigDecimal cost,
      @Nullable BigDecimal atMost,
      @Nullable ModelTokens tokens,
      List<Map<String, Object>> attempts) {
    String told() {
      var told = new StringBuilder(" (");
      if (tokens != null) {
        told.append("%,d input and %,d output tokens, ".formatted(tokens.input(), tokens.output()));
      }
      if (cost != null) {
        told.append("cost ").append(cost.toPlainString());
      } else if (atMost != null) {
        told.append("spend unknown, at most ").append(atMost.toPlainString());
      } else {
        told.append("spend unknown");
      }
      return told.append(')').toString();
    }

    /** Sums of all attempts of this question. */
    Map<String, @Nullable Object> usage() {
      var usage = new LinkedHashMap<String, @Nullable Object>();
      ModelTokens known = tokens == null ? ModelTokens.NONE : tokens;
      if (attempts.isEmpty()) {
        usage.put("inputTokens", known.input());
        usage.put("cachedInputTokens", known.cachedInput());
        usage.put("outputTokens", known.output());
        usage.put("cost", cost);
        usage.put("attempts", 1);
        return usage;
      }
      usage.put("inputTokens", sum("inputTokens"));
      usage.put("cachedInputTokens", sum("cachedInputTokens"));
      usage.put("outputTokens", sum("outputTokens"));
      usage.put("cost", atMost == null ? null : costOfAll());
      usage.put("attempts", attempts.size());
      usage.put("calls", attempts);
      return usage;
    }

    private long sum(String name) {
      return attempts.stream()
          .mapToLong(one -> one.get(name) instanceof Number number ? number.longValue() : 0)
          .sum();
    }

    private BigDecimal costOfAll() {
      return attempts.stream()
          .map(
              one ->
                  one.get("cost") instanceof Number number
                      ? new BigDecimal(number.toString())
                      : BigDecimal.ZERO)
          .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
  }
}
