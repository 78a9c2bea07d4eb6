package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectOutcome;
import dev.hapax.flow.Flow;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How an effect was done is known to the body, and is the same after every wake-up. */
class EffectOutcomeTest extends EngineTest {
  private Flow<Order, Receipt> flow(String name, Effect<?> effect) {
    return register(
        orders(name)
            .body(
                (run, order) -> {
                  run.effect("send", effect.name("send"), key -> key, String.class);
                  String now = run.outcome("send").toString();
                  run.sleep("later", Duration.ofMillis(1));
                  return new Receipt(now, run.outcome("send").toString());
                }));
  }

  private void assertOutcome(Flow<Order, Receipt> flow, EffectOutcome expected) {
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status().isEnd());
    assertThat(run.await()).isEqualTo(new Receipt(expected.toString(), expected.toString()));
  }

  @Test
  void what_another_run_has_done_is_reused() {
    assertOutcome(flow("first", Effect.create("A").keyed()), EffectOutcome.NONE);
    assertOutcome(
        flow("second", Effect.create("A").keyed()), new EffectOutcome(true, false, false, null));
  }

  @Test
  void an_older_version_is_stale() {
    assertOutcome(
        flow("new", Effect.update("A").request("5").version(5).upsert()), EffectOutcome.NONE);
    assertOutcome(
        flow("old", Effect.update("A").request("4").version(4).upsert()),
        new EffectOutcome(true, true, false, null));
  }

  @Test
  void what_the_destination_had_before_is_found() {
    assertOutcome(
        flow("found", Effect.create("A").lookup(_ -> Optional.of("it"), Duration.ZERO)),
        new EffectOutcome(false, false, true, null));
  }
}
