package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TypeToken;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Values that would be read back differently, and mistakes of callers: each gets a message. */
class ValuesAndMistakesTest extends EngineTest {
  private final World world = new World();

  sealed interface Shape {}

  record Circle(int radius) implements Shape {}

  private RunHandle<Receipt> failed(Flow.Body<Order, Receipt> body) {
    RunHandle<Receipt> run = hapax.start(register(orders("values").body(body)), order("A"));
    awaitStatus(run, RunStatus.FAILED);
    return run;
  }

  @Test
  void a_zoned_time_keeps_its_zone() {
    ZonedDateTime berlin = ZonedDateTime.parse("2026-07-01T10:00:00+02:00[Europe/Berlin]");
    var read = new AtomicReference<ZonedDateTime>();
    var flow =
        register(
            orders("times")
                .body(
                    (run, order) -> {
                      read.set(run.step("make", () -> berlin, ZonedDateTime.class));
                      return new Receipt(order.id(), "");
                    }));

    hapax.start(flow, order("A")).await();

    assertThat(read.get()).isEqualTo(berlin);
  }

  @Test
  void a_result_that_cannot_be_read_back_is_refused_before_anything_is_sent() {
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              RunContext.Sender<Shape> sender =
                  key -> {
                    world.apply(key);
                    return new Circle(1);
                  };
              body.effect("draw", Effect.notify(order.id()).unguarded(), sender, Shape.class);
              return new Receipt(order.id(), "");
            });

    assertThat(errorOf(run).code()).isEqualTo("not-serializable");
    assertThat(errorOf(run).message()).contains("Shape is an interface", "@JsonTypeInfo");
    assertThat(world.count()).isZero();
  }

  @Test
  void a_flow_whose_input_cannot_be_read_back_is_refused_when_it_is_made() {
    assertThatThrownBy(() -> Flow.of("shapes", Shape.class, String.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("input of flow 'shapes'");
  }

  @Test
  void a_sleep_without_end_is_refused_in_words() {
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              body.sleep("pause", Duration.ofSeconds(Long.MAX_VALUE));
              return new Receipt(order.id(), "");
            });

    assertThat(errorOf(run).message()).contains("sleep 'pause': expected 0 to 36500 days");
  }

  @Test
  void a_sleep_until_the_end_of_time_is_refused_in_words() {
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              body.sleepUntil("pause", Instant.MAX);
              return new Receipt(order.id(), "");
            });

    assertThat(errorOf(run).message()).contains("end of sleep 'pause': expected a time from");
  }

  @Test
  @SuppressWarnings("NullAway") // as a caller without null checks does
  void a_null_input_and_a_null_key_are_refused_in_words() {
    var flow = register(orders("values").body((_, order) -> new Receipt(order.id(), "")));

    assertThatThrownBy(() -> hapax.start(flow, null)).hasMessageContaining("got null");
    assertThatThrownBy(() -> Effect.create(null))
        .hasMessage("key of an effect: expected a text, got null");
  }

  @Test
  void a_run_that_is_used_inside_a_sender_fails_with_the_mistake_and_not_in_review() {
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              body.effect(
                  "mail",
                  Effect.notify(order.id()).unguarded(),
                  _ -> body.step("look", () -> "inside", String.class),
                  String.class);
              return new Receipt(order.id(), "");
            });

    assertThat(errorOf(run).code()).isEqualTo("wrong-thread");
    assertThat(hapax.effects(hapax.effects().state(EffectState.REVIEW))).isEmpty();
  }

  @Test
  void a_mistake_after_something_was_sent_never_sends_it_again_by_itself() {
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              body.effect(
                  "mail",
                  Effect.notify(order.id()).unguarded(),
                  key -> {
                    world.apply(key);
                    try {
                      return body.step("look", () -> "inside", String.class);
                    } catch (IllegalStateException e) {
                      throw new IOException("wrapped", e);
                    }
                  },
                  String.class);
              return new Receipt(order.id(), "");
            });
    assertThat(errorOf(run).code()).isEqualTo("wrong-thread");
    assertThat(effect(EffectState.ABANDONED).attempts()).isOne();
    assertThat(entry(run, "failed").state()).isEqualTo("abandoned");

    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.REVIEW);
    assertThat(world.count()).isOne();
  }

  @Test
  void a_type_token_gives_a_list_of_records() {
    var read = new AtomicReference<List<Order>>();
    var sent = new AtomicReference<Map<String, Order>>();
    var flow =
        register(
            orders("lists")
                .body(
                    (run, order) -> {
                      read.set(run.step("make", () -> List.of(order), new TypeToken<>() {}));
                      sent.set(
                          run.effect(
                              "send",
                              Effect.create(order.id()).keyed(),
                              _ -> Map.of("first", order),
                              new TypeToken<>() {}));
                      return new Receipt(order.id(), "");
                    }));

    hapax.start(flow, order("A")).await();

    assertThat(read.get()).containsExactly(order("A"));
    assertThat(sent.get()).containsExactly(Map.entry("first", order("A")));
  }

  @Test
  @SuppressWarnings("unchecked") // as a body does that knows no type token
  void a_list_of_records_without_a_type_token_is_refused_in_words() {
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              List<Order> made = body.step("make", () -> List.of(order), List.class);
              return new Receipt(made.getFirst().id(), "");
            });

    assertThat(errorOf(run).code()).isEqualTo("not-serializable");
    assertThat(errorOf(run).message()).contains("new TypeToken<List<Order>>() {}");
    assertThat(errorOf(run).step()).isEqualTo("make");
  }

  @Test
  void a_list_of_texts_needs_no_type_token() {
    var read = new AtomicReference<List<?>>();
    var flow =
        register(
            orders("texts")
                .body(
                    (run, order) -> {
                      read.set(
                          run.step("make", () -> List.of("a", 1, Map.of("b", true)), List.class));
                      return new Receipt(order.id(), "");
                    }));

    hapax.start(flow, order("A")).await();

    assertThat(read.get()).isEqualTo(List.of("a", 1, Map.of("b", true)));
  }

  @Test
  @SuppressWarnings("unchecked")
  void an_effect_whose_list_cannot_be_read_is_done_and_a_type_token_reads_it_later() {
    var isMended = new AtomicBoolean();
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              RunContext.Sender<List<Order>> sender =
                  key -> {
                    world.apply(key);
                    return List.of(order);
                  };
              Effect<?> effect = Effect.notify(order.id()).unguarded();
              List<Order> sent =
                  isMended.get()
                      ? body.effect("mail", effect, sender, new TypeToken<>() {})
                      : body.effect("mail", effect, sender, List.class);
              return new Receipt(sent.getFirst().id(), "");
            });
    assertThat(errorOf(run).message()).contains("new TypeToken<List<Order>>() {}");
    assertThat(effect(EffectState.DONE).attempts()).isOne();

    isMended.set(true);
    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world.count()).isOne();
  }

  @Test
  void a_type_token_of_what_cannot_be_read_back_is_refused_before_anything_is_sent() {
    RunHandle<Receipt> run =
        failed(
            (body, order) -> {
              body.effect(
                  "draw",
                  Effect.notify(order.id()).unguarded(),
                  key -> {
                    world.apply(key);
                    return List.of((Shape) new Circle(1));
                  },
                  new TypeToken<List<Shape>>() {});
              return new Receipt(order.id(), "");
            });

    assertThat(errorOf(run).message()).contains("Shape is an interface");
    assertThat(world.count()).isZero();
  }

  @Test
  @SuppressWarnings("rawtypes") // as a caller may write it
  void a_type_token_without_a_type_is_refused_in_words() {
    assertThatThrownBy(() -> new TypeToken() {})
        .hasMessageContaining("new TypeToken<List<Order>>() {}");
    assertThatThrownBy(this::<Order>tokenOfVariable)
        .hasMessageContaining("new TypeToken<List<Order>>() {}");
  }

  private <T> TypeToken<List<T>> tokenOfVariable() {
    return new TypeToken<>() {};
  }

  @Test
  @SuppressWarnings({"rawtypes", "unchecked"})
  void a_flow_that_is_given_a_raw_list_of_records_is_refused_in_words() {
    Flow<List, List> flow =
        register(Flow.of("raw", List.class, List.class).body((_, list) -> List.of(order("A"))));

    assertThatThrownBy(() -> hapax.start(flow, List.of(order("A"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("input of flow 'raw'", "a component of type List<Order>");
    var run = hapax.start(flow, List.of("A"));
    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).message()).contains("its output: List.class");
  }

  @Test
  @SuppressWarnings("NullAway") // as a caller without null checks does
  void a_null_input_of_a_child_is_refused_in_words() {
    var child = register(orders("child").body((_, order) -> new Receipt(order.id(), "")));
    RunHandle<Receipt> called = failed((body, _) -> body.call("ask", child, null));

    assertThat(errorOf(called).code()).isEqualTo("invalid-input");
    assertThat(errorOf(called).message()).contains("input of flow 'child'", "got null");
    assertThat(errorOf(called).step()).isEqualTo("ask");
  }

  @Test
  @SuppressWarnings("NullAway")
  void a_child_that_is_spawned_without_input_is_refused_in_words() {
    var child =
        register(
            Flow.of("child", Order.class, String.class).body((_, order) -> order.id())); // no key
    RunHandle<Receipt> spawned =
        failed((body, order) -> new Receipt(order.id(), body.spawn("start", child, null)));

    assertThat(errorOf(spawned).code()).isEqualTo("invalid-input");
    assertThat(errorOf(spawned).message()).contains("got null");
  }

  @Test
  @SuppressWarnings({"NullAway", "OptionalAssignedToNull"})
  void a_null_answer_of_a_lookup_proves_nothing_and_gets_a_message() {
    Flow<Order, Receipt> flow =
        register(
            charging(
                "asked", Effect.create("A").lookup(_ -> null).retry(retries(2)), world::apply));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    moveUntil(Duration.ofSeconds(10), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    assertThat(errorOf(run).code()).isEqualTo("not-applied");
    assertThat(errorOf(run).message())
        .contains("the lookup returned null: it must return Optional.empty()");
    assertThat(world.count()).isZero();
  }
}
