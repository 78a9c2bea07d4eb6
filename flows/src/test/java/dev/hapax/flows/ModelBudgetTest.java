package dev.hapax.flows;

import static dev.hapax.flows.ModelServer.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.flows.connection.ModelPrices;
import dev.hapax.flows.step.ModelSpend;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls of models may cost, and what the account says that they did. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ModelBudgetTest {
  /** One call could cost some 0.3, and costs 0.012. */
  private static final ModelPrices PRICES =
      new ModelPrices(
          Map.of(
              "small*",
              new ModelPrices.Price(
                  new BigDecimal("100"), new BigDecimal("100"), new BigDecimal("2000"))));

  private static final BigDecimal PRICE = new BigDecimal("0.012");

  private static final String ASK =
      """
      flow: %s
      key: ${input.id}
      steps:
        - id: ask
          llm: {connection: %s, model: small-1, prompt: hello, maxTokens: 100%s}
          timeout: 10s
      output: ${steps.ask.output}
      """;

  /** Flows that ask through two connections, the first of which may have a budget. */
  private static final class World implements AutoCloseable {
    final ManualTime time = new ManualTime();
    final TroubledStore store = new TroubledStore();
    final ModelServer server;
    final FlowFiles files;
    final Hapax hapax = Hapax.open(store, HapaxOptions.DEFAULT);
    private int runs;

    World(ModelServer server, @Nullable BigDecimal connectionPerDay, @Nullable Long tenantPerDay) {
      this.server = server;
      Connection.Model model = server.connection(ModelDialect.ANTHROPIC);
      this.files =
          FlowFiles.with(time.ports())
              .connections(
                  name ->
                      Optional.of(
                          model.prices(PRICES, name.equals("model") ? connectionPerDay : null)))
              .modelCostPerDay(() -> tenantPerDay)
              .open();
    }

    LoadedFlow flow(String name, String connection, String more) throws Exception {
      LoadedFlow flow = files.load(name + ".yaml", ASK.formatted(name, connection, more), 1);
      files.register(hapax, flow);
      return flow;
    }

    /** A flow that asks with this part of a message. */
    LoadedFlow messages(String name, String part, String more) throws Exception {
      String text =
          ASK.formatted(name, "model", more)
              .replace(
                  "prompt: hello",
                  "messages: [{role: user, content: [{type: text, text: hello}, " + part + "]}]");
      LoadedFlow flow = files.load(name + ".yaml", text, 1);
      files.register(hapax, flow);
      return flow;
    }

    Map<?, ?> run(LoadedFlow flow) {
      return (Map<?, ?>)
          Objects.requireNonNull(
              hapax.start(flow.flow(), Map.of("id", "r" + runs++, "text", "hi")).await());
    }

    /** The message of the failure. */
    String refusal(LoadedFlow flow) {
      RunFailed failed = catchThrowableOfType(RunFailed.class, () -> run(flow));
      assertThat(failed).isNotNull();
      assertThat(failed.code()).isEqualTo("budget-exceeded");
      return String.valueOf(failed.getMessage());
    }

    /** Asks until a budget of 1 is used up. */
    void useUp(LoadedFlow flow) {
      BigDecimal spent = BigDecimal.ZERO;
      while (spent.compareTo(new BigDecimal("0.65")) < 0) {
        spent = spent.add(cost(run(flow)));
      }
      for (int i = 0; i < 30; i++) {
        if (catchThrowableOfType(RunFailed.class, () -> run(flow)) != null) {
          return;
        }
      }
      throw new AssertionError("the budget covers more than it should");
    }

    BigDecimal amount(String account, String name) {
      return SpendEntry.decimal(
          hapax.kv().get("hapax/llm/spend/" + account).value(Object.class) instanceof Map<?, ?> map
              ? map.get(name)
              : null);
    }

    @Override
    public void close() throws IOException {
      hapax.close();
      files.close();
      server.close();
    }
  }

  private static BigDecimal cost(Map<?, ?> output) {
    return new BigDecimal(
        String.valueOf(((Map<?, ?>) Objects.requireNonNull(output.get("usage"))).get("cost")));
  }

  // ---- whose budget it is

  @Test
  void the_budget_of_a_flow_is_for_all_its_runs_and_for_ever() throws Exception {
    try (var world = new World(new ModelServer(says("hi")), null, null)) {
      LoadedFlow flow = world.flow("classify", "model", ", budget: {flow: 1}");
      LoadedFlow other = world.flow("sort", "model", ", budget: {flow: 1}");

      world.useUp(flow);

      assertThat(world.refusal(flow)).contains("budget.flow of step 'ask' is 1");
      assertThat(world.amount("flow/classify", "cost"))
          .isBetween(new BigDecimal("0.65"), BigDecimal.ONE);
      assertThat(cost(world.run(other))).isEqualByComparingTo(PRICE);
      world.time.move(Duration.ofDays(40));
      assertThat(world.refusal(flow)).contains("budget.flow of step 'ask' is 1");
    }
  }

  @Test
  void the_budget_of_a_connection_is_for_all_flows_until_midnight() throws Exception {
    try (var world = new World(new ModelServer(says("hi")), BigDecimal.ONE, null)) {
      LoadedFlow flow = world.flow("classify", "model", "");
      LoadedFlow other = world.flow("sort", "model", "");
      LoadedFlow elsewhere = world.flow("elsewhere", "model-2", "");

      world.useUp(flow);

      assertThat(world.refusal(other)).contains("budget.day of connection 'model' is 1");
      assertThat(cost(world.run(elsewhere))).isEqualByComparingTo(PRICE);
      world.time.move(Duration.ofDays(1));
      assertThat(cost(world.run(other))).isEqualByComparingTo(PRICE);
    }
  }

  @Test
  void the_quota_of_a_tenant_is_for_all_connections_until_midnight() throws Exception {
    try (var world = new World(new ModelServer(says("hi")), null, 1L)) {
      LoadedFlow flow = world.flow("classify", "model", "");
      LoadedFlow elsewhere = world.flow("elsewhere", "model-2", "");

      world.useUp(flow);

      assertThat(world.refusal(elsewhere)).contains("quota modelCostPerDay of the tenant is 1");
      world.time.move(Duration.ofDays(1));
      assertThat(cost(world.run(elsewhere))).isEqualByComparingTo(PRICE);
    }
  }

  // ---- parts of messages

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{type: image_url, image_url: {url: 'https://example.com/a.png'}}",
        "{type: image_url, image_url: {url: 'data:image/png;base64,AAAA'}}",
        "{type: file, file: {file_id: f-1}}",
        "{type: image, source: {type: url, url: 'https://example.com/a.png'}}",
        "{type: document, source: {type: url, url: 'https://example.com/a.pdf'}}",
        "{type: document, source: {type: base64, media_type: application/pdf, data: AAAA}}",
        "{type: document, source: {type: file, file_id: f-1}}",
        "{type: document, source: {type: content, content: [{type: image, source: {type: url}}]}}",
        "{type: search_result, content: [{type: image, source: {type: url}}]}",
        "{type: something_new}",
        "{url: 'https://example.com/a.png'}"
      })
  void a_part_with_any_number_of_tokens_is_never_asked_with_a_budget(String part) throws Exception {
    try (var world = new World(new ModelServer(says("hi")), null, null)) {
      LoadedFlow limited = world.messages("classify", part, ", budget: {run: 1000}");
      LoadedFlow free = world.messages("free", part, "");

      RunFailed refused = catchThrowableOfType(RunFailed.class, () -> world.run(limited));
      assertThat(refused.code()).isEqualTo("no-bound");
      assertThat(refused)
          .hasMessageContaining("budget.run of step 'ask'")
          .hasMessageContaining("Nothing was sent")
          .hasMessageContaining("remove the budget");
      assertThat(world.server.questions()).isEmpty();
      assertThat(world.amount("flow/classify", "reserved")).isZero();
      assertThat(world.run(free).get("text")).as("without a budget").isEqualTo("hi");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{type: text, text: 'see https://example.com/a.png'}",
        "{type: document, source: {type: text, media_type: text/plain, data: abc}}",
        "{type: document, source: {type: content, content: [{type: text, text: abc}]}}",
        "{type: document, source: {type: content, content: abc}}",
        "{type: search_result, source: 'https://example.com', title: a, content: [{type: text, text: b}]}"
      })
  void a_part_that_is_a_text_keeps_to_its_budget(String part) throws Exception {
    try (var world = new World(new ModelServer(says("hi")), null, null)) {
      LoadedFlow flow = world.messages("classify", part, ", budget: {run: 1000}");

      assertThat(world.run(flow).get("text")).isEqualTo("hi");
    }
  }

  // ---- trouble

  @Test
  void a_paid_answer_waits_for_space_on_a_full_disk() throws Exception {
    var store = new TroubledStore[1];
    try (var world =
        new World(
            new ModelServer(
                (question, out) -> {
                  Objects.requireNonNull(store[0]).isFull = true;
                  says("hi").answer(question, out);
                }),
            null,
            null)) {
      store[0] = world.store;
      LoadedFlow flow = world.flow("classify", "model", "");
      var run = world.hapax.start(flow.flow(), Map.of("id", "A"));
      world.store.hasRefused.await();
      world.store.isFull = false;

      assertThat(cost((Map<?, ?>) Objects.requireNonNull(run.await()))).isEqualByComparingTo(PRICE);
      assertThat(world.server.questions()).hasSize(1);
      assertThat(world.amount("flow/classify", "cost")).isEqualByComparingTo(PRICE);
      assertThat(world.amount("flow/classify", "reserved")).isZero();
    }
  }

  @Test
  void a_cost_that_the_store_could_not_note_is_noted_before_the_next_call() throws Exception {
    var store = new TroubledStore[1];
    try (var world =
        new World(
            new ModelServer(says("hi"))
                .then(
                    (question, out) -> {
                      Objects.requireNonNull(store[0]).isMapAway = true;
                      says("hi").answer(question, out);
                    }),
            null,
            null)) {
      store[0] = world.store;
      LoadedFlow flow = world.flow("classify", "model", ", budget: {flow: 1}");

      assertThat(cost(world.run(flow))).isEqualByComparingTo(PRICE);
      world.store.isMapAway = false;
      assertThat(world.amount("flow/classify", "reserved")).isPositive();
      world.run(flow);

      assertThat(world.amount("flow/classify", "reserved")).isZero();
      assertThat(world.amount("flow/classify", "unknown")).isZero();
      assertThat(world.amount("flow/classify", "cost")).isEqualByComparingTo(PRICE.add(PRICE));
    }
  }

  private static final BigDecimal MOST = new BigDecimal("0.3");

  private static ModelSpend.Wish wish(String run) {
    return new ModelSpend.Wish(
        run, "classify", "ask", "question", "model", "small-1", MOST, List.of());
  }

  @Test
  void what_a_dead_process_has_reserved_is_not_reserved_for_ever() throws Exception {
    try (var world = new World(new ModelServer(says("hi")), null, null)) {
      var book = new SpendBook(world.time, () -> null);
      book.in(world.hapax);
      ModelSpend.Reservation dead = book.reserve(wish("dies"));

      world.time.move(Duration.ofDays(1));
      ModelSpend.Reservation late = book.reserve(wish("late"));
      assertThat(world.amount("flow/classify", "reserved")).isEqualByComparingTo("0.6");
      world.time.move(Duration.ofDays(1));
      ModelSpend.Reservation next = book.reserve(wish("next"));

      assertThat(world.amount("flow/classify", "reserved")).isEqualByComparingTo("0.6");
      assertThat(world.amount("flow/classify", "cost")).isEqualByComparingTo("0.3");
      assertThat(world.amount("flow/classify", "unknown")).isEqualByComparingTo("0.3");

      world.time.move(Duration.ofDays(1));
      book.settle(book.reserve(wish("last")), answered());
      for (ModelSpend.Reservation one : List.of(dead, late, next)) { // better late than never
        book.settle(one, answered());
      }
      assertThat(world.amount("flow/classify", "reserved")).isZero();
      assertThat(world.amount("flow/classify", "unknown")).isZero();
      assertThat(world.amount("flow/classify", "cost"))
          .isEqualByComparingTo(PRICE.multiply(new BigDecimal(4)));
    }
  }

  private static ModelSpend.Settled answered() {
    return new ModelSpend.Settled("answered", PRICE, null);
  }
}
