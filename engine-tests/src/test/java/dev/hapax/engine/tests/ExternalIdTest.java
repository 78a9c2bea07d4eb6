package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the destination calls what was done: kept in the ledger, shown, and known to the body. */
class ExternalIdTest extends EngineTest {
  /** The receipt's key is the external id that the body sees after a sleep, so from the journal. */
  private Flow<Order, Receipt> flow(
      String name, Effect<?> effect, RunContext.Sender<Object> sender) {
    return register(
        orders(name)
            .body(
                (run, order) -> {
                  run.effect("charge", effect, sender, Object.class);
                  String now = String.valueOf(run.externalId("charge"));
                  run.sleep("later", Duration.ofMillis(1));
                  return new Receipt(now, String.valueOf(run.externalId("charge")));
                }));
  }

  private static Effect<?> named(Effect<?> effect) {
    return effect.name("charge").externalId(Map.class, charge -> String.valueOf(charge.get("id")));
  }

  private Receipt end(RunHandle<Receipt> run) {
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status().isEnd());
    return run.await();
  }

  @Test
  void it_is_taken_from_the_answer_and_known_to_all_who_reuse_it() {
    Effect<?> effect = named(Effect.create("A").keyed());
    RunHandle<Receipt> first =
        hapax.start(flow("one", effect, _ -> Map.of("id", "ch_1")), order("A"));
    assertThat(end(first)).isEqualTo(new Receipt("ch_1", "ch_1"));
    RunHandle<Receipt> second =
        hapax.start(flow("two", effect, _ -> Map.of("id", "ch_2")), order("A"));

    assertThat(end(second)).isEqualTo(new Receipt("ch_1", "ch_1"));

    assertThat(effect(EffectState.DONE).externalId()).isEqualTo("ch_1");
    assertThat(entry(first, "done").externalId()).isEqualTo("ch_1");
    assertThat(entry(second, "reused").externalId()).isEqualTo("ch_1");
  }

  @Test
  void what_a_lookup_finds_has_it_too() {
    Effect<?> effect =
        named(Effect.create("A").lookup(_ -> Optional.of(Map.of("id", "ch_3")), Duration.ZERO));

    assertThat(end(hapax.start(flow("one", effect, key -> key), order("A"))))
        .isEqualTo(new Receipt("ch_3", "ch_3"));
    assertThat(effect(EffectState.DONE).externalId()).isEqualTo("ch_3");
  }

  @Test
  void a_person_who_settles_may_give_it() {
    Effect<?> effect = named(Effect.notify("A").unguarded());
    Flow<Order, Receipt> flow =
        flow(
            "one",
            effect,
            _ -> {
              throw new IOException("reset");
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);

    hapax.settle(
        effect(EffectState.REVIEW).id(),
        Settlement.happened(null, "I looked", "ada").externalId("ch_4"));

    assertThat(end(run)).isEqualTo(new Receipt("ch_4", "ch_4"));
    assertThat(entry(run, "settled").externalId()).isEqualTo("ch_4");
  }

  @Test
  void a_result_without_it_is_done_all_the_same() {
    Effect<?> effect =
        Effect.create("A")
            .keyed()
            .externalId(
                Map.class,
                _ -> {
                  throw new IllegalStateException("no id here");
                });

    assertThat(end(hapax.start(flow("one", effect, _ -> Map.of()), order("A"))))
        .isEqualTo(new Receipt("null", "null"));
    assertThat(effect(EffectState.DONE).externalId()).isNull();
  }
}
