package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.flow.Ambiguous;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A doubt that the key does not settle, and one whose destination asks for a pause. */
class AmbiguousTest extends EngineTest {
  private final AtomicInteger sent = new AtomicInteger();

  private String replayedFailure(String key) {
    sent.incrementAndGet();
    throw new Ambiguous("a stored 500", null, false);
  }

  @Test
  void what_sending_again_does_not_settle_goes_to_review() {
    Flow<Order, Receipt> flow =
        register(charging("charge", Effect.create("A").keyed(), this::replayedFailure));

    assertThatThrownBy(hapax.start(flow, order("A"))::await).isInstanceOf(RunInReview.class);

    assertThat(sent.get()).isEqualTo(1);
    assertThat(effect(EffectState.REVIEW).evidence()).contains("would not show");
  }

  @Test
  void it_is_looked_up_if_it_declares_a_lookup_also_after_a_crash_and_never_sent_again() {
    var isReadable = new AtomicBoolean();
    Effect<?> effect =
        Effect.create("A")
            .keyed(
                Duration.ofDays(1),
                _ -> {
                  if (!isReadable.get()) {
                    throw new IllegalStateException("the lookup is down");
                  }
                  return Optional.of("found");
                });
    Flow<Order, Receipt> flow = register(charging("charge", effect, this::replayedFailure));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    assertThat(entry(run, "doubt").decision()).isEqualTo("a lookup settles it");

    crash(flow);
    isReadable.set(true);
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).isEqualTo("found");
    assertThat(sent.get()).isEqualTo(1);
  }

  @Test
  void it_is_sent_again_no_earlier_than_the_destination_asks() {
    Effect<?> effect = Effect.create("A").keyed().retry(retries(3));
    Flow<Order, Receipt> flow =
        register(
            charging(
                "charge",
                effect,
                key -> {
                  if (sent.incrementAndGet() == 1) {
                    throw new Ambiguous("503", Duration.ofMinutes(5), true);
                  }
                  return key;
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitReleased(run);

    time.move(Duration.ofMinutes(4));
    assertThat(sent.get()).isEqualTo(1);
    moveAndWake(Duration.ofMinutes(2), run);

    assertThat(run.await().order()).isEqualTo("A");
  }
}
