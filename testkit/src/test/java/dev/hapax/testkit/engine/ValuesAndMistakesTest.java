package dev.hapax.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.run.EffectState;
import dev.hapax.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Values that would come back as others, and mistakes of callers: each is told in words. */
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
}
