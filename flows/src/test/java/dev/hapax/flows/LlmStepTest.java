package dev.hapax.flows;

import static dev.hapax.flows.ModelServer.calls;
import static dev.hapax.flows.ModelServer.counts;
import static dev.hapax.flows.ModelServer.endless;
import static dev.hapax.flows.ModelServer.fails;
import static dev.hapax.flows.ModelServer.gigabyte;
import static dev.hapax.flows.ModelServer.hugeLine;
import static dev.hapax.flows.ModelServer.repeatedHeaders;
import static dev.hapax.flows.ModelServer.says;
import static dev.hapax.flows.ModelServer.saysAtOnce;
import static dev.hapax.flows.ModelServer.saysHalf;
import static dev.hapax.flows.ModelServer.silent;
import static dev.hapax.flows.ModelServer.stops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hapax.Hapax;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.ManualTime;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Model steps against a real server on 127.0.0.1 that misbehaves. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LlmStepTest {
  private static final String SECRET = "s3cr3t-canary-value";

  private static final String ASK =
      """
      flow: classify
      key: ${input.id}
      steps:
        - id: ask
          llm: {connection: model, model: small-1, system: Be short., prompt: "${input.text}", maxTokens: 100%s}
          timeout: 3s
      output: ${steps.ask.output}
      """;

  private static final String SCHEMA =
      ", schema: {type: object, required: [kind, score], properties: {kind: {enum: [order, other]},"
          + " score: {type: integer, minimum: 1}}}";

  private static final BigDecimal THREE_TIMES = ModelServer.PRICE.multiply(BigDecimal.valueOf(3));

  private static FlowFiles files(Connection connection) {
    return FlowFiles.with(Ports.system())
        .connections(name -> Optional.of(connection).filter(c -> c.name().equals(name)))
        .secrets(name -> name.equals("token") ? Optional.of(SECRET) : Optional.empty())
        .open();
  }

  private static final class World implements AutoCloseable {
    final ModelServer server;
    final FlowFiles files;
    final LoadedFlow flow;
    final FlowTest test;

    World(ModelDialect dialect, ModelServer server, String text) throws Exception {
      this(server, text, server.connection(dialect).secret("token"));
    }

    World(ModelServer server, String text, Connection connection) throws Exception {
      this.server = server;
      this.files = files(connection);
      this.flow = files.load("f.yaml", text, 1);
      this.test = FlowTest.of(flow.flow());
      files.prepare(test.hapax(), flow);
    }

    Map<?, ?> run(String id, String text) {
      return (Map<?, ?>) test.run(flow.flow(), Map.of("id", id, "text", text));
    }

    RunFailed failure(String id) {
      return catchThrowableOfType(RunFailed.class, () -> run(id, "hello"));
    }

    BigDecimal spent(String account) {
      return amount(account, "cost");
    }

    BigDecimal amount(String account, String name) {
      Object value = test.hapax().kv().get("hapax/llm/spend/" + account).value(Object.class);
      return value instanceof Map<?, ?> map && map.get(name) instanceof Number number
          ? new BigDecimal(number.toString())
          : BigDecimal.ZERO;
    }

    @Override
    public void close() throws IOException {
      test.close();
      files.close();
      server.close();
    }
  }

  private static Map<?, ?> usage(Map<?, ?> output) {
    return (Map<?, ?>) Objects.requireNonNull(output.get("usage"));
  }

  private static BigDecimal cost(Map<?, ?> output) {
    return new BigDecimal(String.valueOf(usage(output).get("cost")));
  }

  // ---- the wire

  @ParameterizedTest
  @EnumSource
  void an_answer_is_streamed_recorded_and_paid_for_once(ModelDialect dialect) throws Exception {
    try (var world =
        new World(dialect, new ModelServer(says("héllo ☃ world")), ASK.formatted(""))) {
      Map<?, ?> output = world.run("A", "hello");

      assertThat(output.get("text")).isEqualTo("héllo ☃ world");
      assertThat(output.get("finish")).isEqualTo("stop");
      assertThat(output.get("model")).isEqualTo("small-1");
      assertThat(output.get("cached")).isEqualTo(false);
      assertThat(usage(output).get("inputTokens")).isEqualTo(ModelServer.INPUT);
      assertThat(usage(output).get("outputTokens")).isEqualTo(ModelServer.OUTPUT);
      assertThat(cost(output)).isEqualByComparingTo(ModelServer.PRICE);
      assertThat(world.spent("flow/classify")).isEqualByComparingTo(ModelServer.PRICE);
      assertThat(world.amount("flow/classify", "reserved")).isZero();

      world.test.crash();
      assertThat(world.run("A", "hello")).isEqualTo(output);
      assertThat(world.server.questions()).hasSize(1);
    }
  }

  @Test
  void a_question_has_the_form_of_openai() throws Exception {
    try (var world =
        new World(
            ModelDialect.OPENAI,
            new ModelServer(says("{\"kind\": \"order\", \"score\": 3}")),
            ASK.formatted(SCHEMA + ", temperature: 0.5"))) {
      Map<?, ?> output = world.run("A", "hello");

      assertThat(output.get("value")).isEqualTo(Map.of("kind", "order", "score", 3));
      ModelServer.Question question = world.server.questions().getFirst();
      assertThat(question.path()).isEqualTo("/v1/chat/completions");
      assertThat(question.headers()).containsEntry("authorization", "Bearer " + SECRET);
      assertThat(question.text())
          .isEqualTo(
              "{\"model\":\"small-1\",\"messages\":[{\"role\":\"system\",\"content\":\"Be"
                  + " short.\"},{\"role\":\"user\",\"content\":\"hello\"}],\"max_tokens\":100,\"temperature\":0.5,\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"answer\",\"strict\":true,\"schema\":{\"type\":\"object\",\"required\":[\"kind\",\"score\"],\"properties\":{\"kind\":{\"enum\":[\"order\",\"other\"]},\"score\":{\"type\":\"integer\",\"description\":\"(minimum"
                  + " 1)\"}},\"additionalProperties\":false}}},\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
    }
  }

  @Test
  void a_question_has_the_form_of_anthropic() throws Exception {
    try (var world =
        new World(
            ModelDialect.ANTHROPIC,
            new ModelServer(saysAtOnce("{\"kind\": \"order\", \"score\": 3}")),
            ASK.formatted(SCHEMA))) {
      Map<?, ?> output = world.run("A", "hello");

      assertThat(output.get("value")).isEqualTo(Map.of("kind", "order", "score", 3));
      ModelServer.Question question = world.server.questions().getFirst();
      assertThat(question.path()).isEqualTo("/v1/messages");
      assertThat(question.headers())
          .containsEntry("x-api-key", SECRET)
          .containsEntry("anthropic-version", "2023-06-01");
      assertThat(question.body().get("max_tokens")).isEqualTo(100);
      assertThat(question.body().get("system")).isEqualTo("Be short.");
      assertThat(question.text())
          .contains("\"output_config\":{\"format\":{\"type\":\"json_schema\",\"schema\":{");
    }
  }

  // ---- trouble

  @ParameterizedTest
  @EnumSource
  void trouble_of_every_kind_ends_in_one_answer_and_each_attempt_counts_once(ModelDialect dialect)
      throws Exception {
    try (var world =
        new World(
            dialect,
            new ModelServer(says("at last"))
                .then(
                    fails(500),
                    fails(529, "Retry-After: 1"),
                    saysHalf("never ends"),
                    silent(),
                    hugeLine(),
                    (_, _) -> {},
                    repeatedHeaders("at last")),
            ASK.formatted("")
                .replace(
                    "timeout: 3s",
                    "timeout: 2s\n    retry: {attempts: 9, delay: 100ms, within: 1h}"))) {
      Map<?, ?> output = world.run("A", "hello");

      assertThat(output.get("text")).isEqualTo("at last");
      assertThat(world.server.questions()).hasSize(7);
      List<?> calls = (List<?>) Objects.requireNonNull(usage(output).get("calls"));
      assertThat(calls).hasSize(7);
      assertThat(calls.stream().map(Object.class::cast).toList())
          .extracting(call -> String.valueOf(((Map<?, ?>) call).get("state")))
          .containsExactly(
              "http-500",
              "http-529",
              "answer-lost",
              "answer-lost",
              "bad-answer",
              "answer-lost",
              "answered");
      BigDecimal atMost =
          new BigDecimal(String.valueOf(((Map<?, ?>) calls.getFirst()).get("atMost")));
      assertThat(cost(output))
          .isEqualByComparingTo(ModelServer.PRICE.add(atMost.multiply(new BigDecimal(5))));
      assertThat(world.spent("flow/classify")).isEqualByComparingTo(cost(output));
      assertThat(world.amount("flow/classify", "reserved")).isZero();
    }
  }

  @Test
  void the_tokens_of_half_an_answer_are_counted_as_far_as_they_are_known() throws Exception {
    try (var world =
        new World(
            ModelDialect.ANTHROPIC,
            new ModelServer(says("whole")).then(saysHalf("never ends")),
            ASK.formatted(""))) {
      Map<?, ?> output = world.run("A", "hello");

      List<?> calls = (List<?>) Objects.requireNonNull(usage(output).get("calls"));
      assertThat(((Map<?, ?>) calls.getFirst()).get("inputTokens")).isEqualTo(ModelServer.INPUT);
      assertThat(((Map<?, ?>) calls.getFirst()).get("isCostKnown")).isEqualTo(false);
      assertThat(usage(output).get("inputTokens")).isEqualTo(2 * ModelServer.INPUT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_streams_for_ever_ends_with_the_limit_of_a_value(ModelDialect dialect)
      throws Exception {
    try (var world =
        new World(
            dialect,
            new ModelServer(endless()),
            ASK.formatted("").replace("timeout: 3s", "timeout: 60s"))) {
      assertThat(world.failure("A").code()).isEqualTo("answer-too-large");
      assertThat(world.server.questions()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_of_a_gigabyte_is_not_read_to_its_end(ModelDialect dialect) throws Exception {
    try (var world =
        new World(
            dialect,
            new ModelServer(gigabyte()),
            ASK.formatted("").replace("timeout: 3s", "timeout: 60s"))) {
      RunFailed failed = world.failure("A");

      assertThat(failed.code()).isEqualTo("answer-too-large");
      assertThat(failed.getMessage()).hasSizeLessThan(1_000);
      assertThat(world.server.questions()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-5, 5",
    "20, -1",
    "2.5, 5",
    "1e300, 5",
    "20, 1e999",
    "20, 99999999999999999999",
    "'\"NaN\"', 5",
    "20, null",
    "20, []"
  })
  void tokens_that_are_no_count_cost_the_most_that_the_call_could(String input, String output)
      throws Exception {
    for (ModelDialect dialect : ModelDialect.values()) {
      try (var world =
          new World(dialect, new ModelServer(counts(input, output)), ASK.formatted(""))) {
        Map<?, ?> answer = world.run("A", "hello");

        assertThat(answer.get("text")).isEqualTo("hi");
        List<?> calls = (List<?>) Objects.requireNonNull(usage(answer).get("calls"));
        Map<?, ?> call = (Map<?, ?>) calls.getFirst();
        assertThat(call.get("isCostKnown")).as("%s", call).isEqualTo(false);
        assertThat(call.get("cost")).isEqualTo(call.get("atMost"));
        assertThat(world.spent("flow/classify")).isEqualByComparingTo(cost(answer)).isPositive();
        assertThat(world.amount("flow/classify", "reserved")).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void each_end_without_an_answer_has_a_code_of_its_own(ModelDialect dialect) throws Exception {
    boolean isOpenAi = dialect == ModelDialect.OPENAI;
    try (var world =
        new World(
            dialect,
            new ModelServer(says("ok"))
                .then(
                    stops("cut o", "length", "max_tokens"),
                    isOpenAi
                        ? stops("", "content_filter", "")
                        : stops("I will not.", "", "refusal"),
                    fails(400)),
            ASK.formatted(""))) {
      RunFailed cut = world.failure("A");
      assertThat(cut.code()).isEqualTo("model-length");
      assertThat(cut).hasMessageContaining("cost 0.00007");
      assertThat(world.failure("B").code()).isEqualTo(isOpenAi ? "model-filter" : "model-refusal");
      assertThat(world.failure("C").code()).isEqualTo("http-400");
      assertThat(world.spent("flow/classify"))
          .isEqualByComparingTo(ModelServer.PRICE.multiply(new BigDecimal(2)));
    }
  }

  // ---- structured answers

  @ParameterizedTest
  @EnumSource
  void bad_json_three_times_is_repaired_within_bounds(ModelDialect dialect) throws Exception {
    try (var world =
        new World(
            dialect,
            new ModelServer(says("```json\n{\"kind\": \"order\", \"score\": 2}\n```"))
                .then(
                    says("certainly!"),
                    says("{\"kind\": \"order\"}"),
                    says("{\"kind\": \"order\", \"score\": 0}")),
            ASK.formatted(SCHEMA + ", repairs: 3"))) {
      Map<?, ?> output = world.run("A", "hello");

      assertThat(output.get("value")).isEqualTo(Map.of("kind", "order", "score", 2));
      assertThat(world.server.questions()).hasSize(4);
      assertThat(usage(output).get("attempts")).isEqualTo(4);
      assertThat(cost(output)).isEqualByComparingTo(ModelServer.PRICE.multiply(new BigDecimal(4)));
      assertThat(world.server.questions().getLast().text())
          .contains("certainly!")
          .contains("does not fit its JSON Schema")
          .contains("score");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_without_text_is_repaired(ModelDialect dialect) throws Exception {
    try (var world =
        new World(
            dialect,
            new ModelServer(says("{\"kind\": \"order\", \"score\": 2}"))
                .then(says(""), says(" \n")),
            ASK.formatted(SCHEMA + ", repairs: 2"))) {
      Map<?, ?> output = world.run("A", "hello");

      assertThat(output.get("value")).isEqualTo(Map.of("kind", "order", "score", 2));
      assertThat(world.server.questions()).hasSize(3);
    }
  }

  @Test
  void an_answer_made_to_burst_its_schema_is_only_wrong() throws Exception {
    String deep = "[".repeat(200_000);
    String wide = "{\"kind\": [" + "7,".repeat(100_000) + "7], \"score\": 1}";
    String named = "{\"" + "k".repeat(300_000) + "\": 1}";
    try (var world =
        new World(
            ModelDialect.OPENAI,
            new ModelServer(says(named)).then(says(deep), says(wide)),
            ASK.formatted(
                SCHEMA.replace("{type: object", "{type: object, additionalProperties: false")
                    + ", repairs: 2"))) {
      RunFailed failed = world.failure("A");

      assertThat(failed.code()).isEqualTo("model-answer");
      assertThat(failed.getMessage()).hasSizeLessThan(20_000);
      assertThat(world.server.questions()).hasSize(3);
    }
  }

  @Test
  void an_answer_that_is_never_right_fails_and_a_retry_asks_only_the_last_question()
      throws Exception {
    try (var world =
        new World(
            ModelDialect.OPENAI,
            new ModelServer(says("{\"kind\": \"order\", \"score\": 2}"))
                .then(says("no"), says("still no")),
            ASK.formatted(SCHEMA))) {
      RunHandle<?> run = world.test.start(world.flow.flow(), Map.of("id", "A", "text", "hello"));
      RunFailed failed = catchThrowableOfType(RunFailed.class, run::await);

      assertThat(failed.code()).isEqualTo("model-answer");
      assertThat(failed).hasMessageContaining("still no");
      assertThat(world.server.questions()).hasSize(2);

      world.test.hapax().retry(run.id(), "ann");
      Map<?, ?> output = (Map<?, ?>) run.await();
      assertThat(output.get("value")).isEqualTo(Map.of("kind", "order", "score", 2));
      assertThat(world.server.questions()).hasSize(3);
      assertThat(usage(output).get("attempts")).as("all three were paid for").isEqualTo(3);
      assertThat(cost(output)).isEqualByComparingTo(THREE_TIMES);
      assertThat(world.spent("run/" + run.id())).isEqualByComparingTo(THREE_TIMES);
      assertThat(world.amount("flow/classify", "reserved")).isZero();
    }
  }

  @Test
  void a_replay_asks_nothing_again_and_another_question_counts() throws Exception {
    try (var world =
        new World(
            ModelDialect.OPENAI,
            new ModelServer(says("{\"kind\": \"order\", \"score\": 2}")),
            ASK.formatted(SCHEMA))) {
      Hapax hapax = world.test.hapax();
      RunHandle<?> run = world.test.start(world.flow.flow(), Map.of("id", "A", "text", "hello"));
      Map<?, ?> first = (Map<?, ?>) run.await();

      hapax.replays().apply(hapax.replays().plan(run.id(), ReplayWish.ALL), "ann", "a look");
      Map<?, ?> kept = (Map<?, ?>) hapax.handle(run.id(), Object.class).await();
      assertThat(kept.get("value")).isEqualTo(first.get("value"));
      assertThat(cost(kept)).as("what is kept costs nothing").isZero();
      assertThat(world.server.questions()).hasSize(1);
      assertThat(world.spent("run/" + run.id())).isEqualByComparingTo(ModelServer.PRICE);

      ReplayWish other = ReplayWish.ALL.withInput("{\"id\": \"A\", \"text\": \"bye\"}");
      hapax.replays().apply(hapax.replays().plan(run.id(), other), "ann", "another text");
      var stopped = hapax.handle(run.id(), Object.class);
      assertThat(catchThrowableOfType(RunFailed.class, stopped::await).code())
          .as("a plan cannot know the question of a model")
          .isEqualTo("plan-stale");
      hapax.retry(run.id(), "ann");
      Map<?, ?> second = (Map<?, ?>) hapax.handle(run.id(), Object.class).await();
      assertThat(world.server.questions()).hasSize(2);
      assertThat(usage(second).get("attempts")).isEqualTo(1);
      assertThat(cost(second)).isEqualByComparingTo(ModelServer.PRICE);
      assertThat(world.spent("run/" + run.id()))
          .isEqualByComparingTo(ModelServer.PRICE.add(ModelServer.PRICE));
    }
  }

  // ---- caches

  @Test
  void runs_of_a_flow_share_an_answer_and_it_costs_nothing_again() throws Exception {
    try (var world =
        new World(
            ModelDialect.OPENAI, new ModelServer(says("hi")), ASK.formatted(", cache: flow"))) {
      Map<?, ?> first = world.run("A", "hello");
      Map<?, ?> second = world.run("B", "hello");
      Map<?, ?> other = world.run("C", "good bye");

      assertThat(cost(first)).isEqualByComparingTo(ModelServer.PRICE);
      assertThat(second.get("cached")).isEqualTo(true);
      assertThat(second.get("text")).isEqualTo("hi");
      assertThat(cost(second)).isZero();
      assertThat(other.get("cached")).isEqualTo(false);
      assertThat(world.server.questions()).hasSize(2);
    }
  }

  @Test
  void flows_of_a_tenant_share_an_answer_until_its_period_is_over() throws Exception {
    var time = new ManualTime();
    String text = ASK.formatted(", cache: tenant, ttl: 1d");
    try (var server = new ModelServer(says("hi"));
        FlowFiles files =
            FlowFiles.with(time.ports())
                .connections(_ -> Optional.of(server.connection(ModelDialect.OPENAI)))
                .open()) {
      LoadedFlow one = files.load("f.yaml", text, 1);
      LoadedFlow other = files.load("g.yaml", text.replace("flow: classify", "flow: sort"), 1);
      try (FlowTest test = FlowTest.of(one.flow(), other.flow())) {
        files.prepare(test.hapax(), one);
        Map<?, ?> first = ask(test, one, "A");
        Map<?, ?> second = ask(test, other, "B");
        time.move(java.time.Duration.ofDays(1));
        Map<?, ?> later = ask(test, other, "C");

        assertThat(first.get("cached")).isEqualTo(false);
        assertThat(second.get("cached")).isEqualTo(true);
        assertThat(cost(second)).isZero();
        assertThat(later.get("cached")).isEqualTo(false);
        assertThat(ask(test, one, "A")).isEqualTo(first);
        assertThat(server.questions()).hasSize(2);
      }
    }
  }

  private static Map<?, ?> ask(FlowTest test, LoadedFlow flow, String id) {
    return (Map<?, ?>)
        Objects.requireNonNull(test.run(flow.flow(), Map.of("id", id, "text", "hello")));
  }

  @Test
  void the_same_question_in_many_items_is_asked_once_at_the_same_time() throws Exception {
    for (String cache : List.of("run", "none")) {
      String loop =
          """
          flow: classify
          key: ${input.id}
          steps:
            - id: each
              forEach: {items: "${input.texts}", atOnce: 8}
              itemKey: ${item.id}
              llm: {connection: model, model: small-1, prompt: "${item.text}", maxTokens: 10, cache: %s}
          output: ${steps.each.items.map(i, i.output.text)}
          """
              .formatted(cache);
      try (var world = new World(ModelDialect.OPENAI, new ModelServer(says("hi")), loop)) {
        List<Object> texts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          texts.add(Map.of("id", "i" + i, "text", "the same"));
        }
        Object output = world.test.run(world.flow.flow(), Map.of("id", "A", "texts", texts));

        assertThat(output).isEqualTo(java.util.Collections.nCopies(8, "hi"));
        assertThat(world.server.questions()).hasSize(cache.equals("run") ? 1 : 8);
      }
    }
  }

  // ---- budgets

  @Test
  void a_budget_is_checked_before_the_call_by_what_it_could_cost() throws Exception {
    try (var world =
        new World(
            ModelDialect.OPENAI,
            new ModelServer(says("hi")),
            ASK.formatted(", budget: {run: 0.01, day: 0.005}"))) {
      int runs = 0;
      RunFailed refused = null;
      while (refused == null) {
        refused = world.failure("r" + runs);
        runs++;
        assertThat(runs).isLessThan(200);
      }

      assertThat(refused.code()).isEqualTo("budget-exceeded");
      assertThat(refused)
          .hasMessageContaining("budget.day of step 'ask' is 0.005")
          .hasMessageContaining("Nothing was sent");
      assertThat(world.server.questions()).hasSize(runs - 1).hasSizeGreaterThan(5);
      assertThat(world.spent("flow/classify")).isLessThanOrEqualTo(new BigDecimal("0.005"));
    }
  }

  @Test
  void calls_at_the_same_time_keep_to_a_budget_together() throws Exception {
    String loop =
        """
        flow: classify
        key: ${input.id}
        steps:
          - id: each
            forEach: {items: "${input.texts}", atOnce: 16}
            itemKey: ${item}
            llm: {connection: model, model: small-1, prompt: "${item}", maxTokens: 10, budget: {run: 0.006}}
            onError: continue
        output: ${steps.each.output.succeeded}
        """;
    try (var world =
        new World(
            ModelDialect.OPENAI,
            new ModelServer(
                (question, out) -> {
                  LockSupport.parkNanos(50_000_000); // all are under way at the same time
                  says("hi").answer(question, out);
                }),
            loop)) {
      List<Object> texts = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        texts.add("text " + i);
      }
      RunHandle<?> run = world.test.start(world.flow.flow(), Map.of("id", "A", "texts", texts));
      run.await();

      // One could cost some 0.0013, so no more than 4 are under way; each costs 0.00007.
      assertThat(world.spent("run/" + run.id())).isLessThanOrEqualTo(new BigDecimal("0.006"));
      assertThat(world.amount("run/" + run.id(), "reserved")).isZero();
      assertThat(world.server.questions()).hasSizeBetween(3, 40);
      assertThat(world.spent("run/" + run.id()))
          .isEqualByComparingTo(
              ModelServer.PRICE.multiply(new BigDecimal(world.server.questions().size())));
    }
  }

  @Test
  void a_budget_without_a_price_sends_nothing() throws Exception {
    try (var server = new ModelServer(says("hi"));
        var world =
            new World(
                server,
                ASK.formatted(", budget: {run: 1}"),
                server
                    .connection(ModelDialect.OPENAI)
                    .prices(dev.hapax.flows.connection.ModelPrices.NONE, null))) {
      assertThat(world.failure("A").code()).isEqualTo("no-price");
      assertThat(server.questions()).isEmpty();
    }
  }

  // ---- tools

  @ParameterizedTest
  @EnumSource
  void a_tool_is_a_child_run_and_its_output_goes_back(ModelDialect dialect) throws Exception {
    String tool =
        """
        flow: price-of
        input: {type: object, required: [sku], properties: {sku: {type: string}}}
        key: ${input.sku}
        steps:
          - id: price
            set: {cents: "${size(input.sku) * 100}"}
        output: {cents: "${steps.price.output.cents}"}
        """;
    String more =
        ", tools: [{flow: price-of, description: The price of an article., input: {type: object,"
            + " required: [sku], properties: {sku: {type: string}}}}]";
    try (var server =
            new ModelServer(says("It is 3 euros."))
                .then(
                    calls("price-of", "{\"sku\": 7}"),
                    calls("nothing", "{}"),
                    calls("price-of", "{\"sku\": \"abc\"}"));
        FlowFiles files = files(server.connection(dialect))) {
      LoadedFlow child = files.load("t.yaml", tool, 1);
      LoadedFlow flow = files.load("f.yaml", ASK.formatted(more), 1);
      try (FlowTest test = FlowTest.of(flow.flow(), child.flow())) {
        files.prepare(test.hapax(), flow);
        RunHandle<?> run = test.start(flow.flow(), Map.of("id", "A", "text", "what is abc?"));
        Map<?, ?> output = (Map<?, ?>) run.await();

        assertThat(output.get("text")).isEqualTo("It is 3 euros.");
        assertThat(server.questions()).hasSize(4);
        assertThat(server.questions().get(1).text()).contains("its input does not fit");
        assertThat(server.questions().get(2).text()).contains("there is no tool 'nothing'");
        assertThat(server.questions().get(3).text()).contains("{\\\"cents\\\":300}");

        test.crash();
        assertThat(test.run(flow.flow(), Map.of("id", "A", "text", "what is abc?")))
            .isEqualTo(output);
        assertThat(server.questions()).hasSize(4);
      }
    }
  }

  private static final String TWO_ROUNDS =
      ", maxRounds: 2, tools: [{flow: x, name: none, description: Nothing., input: {type:"
          + " object}}]";

  @ParameterizedTest
  @EnumSource
  void a_model_that_always_wants_tools_is_stopped(ModelDialect dialect) throws Exception {
    try (var world =
        new World(dialect, new ModelServer(calls("other", "{}")), ASK.formatted(TWO_ROUNDS))) {
      assertThat(world.failure("A").code()).isEqualTo("too-many-rounds");
      assertThat(world.server.questions()).hasSize(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void after_the_last_round_the_model_answers_without_tools(ModelDialect dialect) throws Exception {
    try (var world =
        new World(
            dialect,
            new ModelServer(says("done")).then(calls("other", "{}"), calls("other", "{}")),
            ASK.formatted(TWO_ROUNDS))) {
      Map<?, ?> output = world.run("A", "hello");

      assertThat(output.get("text")).isEqualTo("done");
      List<ModelServer.Question> questions = world.server.questions();
      assertThat(questions).hasSize(3);
      assertThat(questions.get(1).body().get("tool_choice")).isNull();
      Map<?, ?> last = questions.getLast().body();
      assertThat(last.get("tools")).as("history needs them").isNotNull();
      assertThat(last.get("tool_choice"))
          .isEqualTo(dialect == ModelDialect.OPENAI ? "none" : Map.of("type", "none"));
    }
  }

  // ---- secrets

  @Test
  void a_secret_that_a_model_repeats_is_masked() throws Exception {
    try (var world =
        new World(
            ModelDialect.OPENAI,
            new ModelServer(says("the key is " + SECRET)),
            ASK.formatted(""))) {
      RunHandle<?> run = world.test.start(world.flow.flow(), Map.of("id", "A", "text", "hello"));

      assertThat(String.valueOf(run.await())).contains("[redacted]").doesNotContain(SECRET);
      assertThat(world.test.history(run).toString()).doesNotContain(SECRET);
    }
  }
}
