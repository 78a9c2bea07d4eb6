package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Tie;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/** An update sends changed content, and never reverts newer data. */
class UpdateEffectTest extends EngineTest {
  private final World world = new World();

  private static Flow.Builder<Order, String> sync() {
    return Flow.of("sync", Order.class, String.class);
  }

  /** Updates the CRM, and then fails on request. */
  private Flow<Order, String> failing(
      Flow.Builder<Order, String> flow, BiPredicate<RunContext, Order> fails) {
    return flow.body(
        (run, order) -> {
          run.effect(
              "crm",
              Effect.update(order.id()).request(order.total()).upsert().name("crm"),
              (_, total) -> {
                world.apply("" + total);
              });
          if (fails.test(run, order)) {
            throw new IllegalStateException("fails after its update");
          }
          return "ok";
        });
  }

  @Test
  void a_rerun_of_an_old_update_never_reverts_newer_data() {
    var flow =
        register(
            failing(
                sync().key(order -> order.id() + order.total()),
                (_, order) -> order.total() == 1 && world.count() == 1));
    RunHandle<String> old = hapax.start(flow, new Order("C", 1));
    assertThatThrownBy(old::await).isInstanceOf(RunFailed.class);
    hapax.start(flow, new Order("C", 2)).await();

    hapax.retry(old.id(), "ada");

    assertThat(hapax.handle(old.id(), String.class).await()).isEqualTo("ok");
    assertThat(world.arrivals()).containsExactly("1", "2");
  }

  @Test
  void an_update_sends_changed_content_and_reuses_the_same() {
    var flow =
        register(
            sync()
                .body(
                    (run, order) -> {
                      run.effect(
                          "crm",
                          Effect.update(order.id()).request(order.total()).upsert(),
                          (key, total) -> {
                            world.apply("" + total);
                          });
                      return "ok";
                    }));
    for (int total : new int[] {1, 1, 2, 1}) {
      hapax.start(flow, new Order("C", total)).await();
    }

    assertThat(world.arrivals()).containsExactly("1", "2", "1");
    assertThat(effect(EffectState.DONE).revision()).isEqualTo(3);
  }

  @Test
  void an_older_version_is_skipped_as_stale() {
    var flow =
        register(
            sync()
                .body(
                    (run, order) -> {
                      run.effect(
                          "crm",
                          Effect.update("C").request(order.id()).version(order.total()).upsert(),
                          (key, content) -> {
                            world.apply(content);
                          });
                      return "ok";
                    }));
    hapax.start(flow, new Order("new", 7)).await();

    RunHandle<String> late = hapax.start(flow, new Order("old", 6));

    assertThat(late.await()).isEqualTo("ok");
    assertThat(world.arrivals()).containsExactly("new");
    assertThat(entry(late, "reused").decision()).contains("stale");
  }

  private Flow<Order, String> versioned(Tie tie) {
    return register(
        sync()
            .body(
                (run, order) -> {
                  run.effect(
                      "crm",
                      Effect.update("C")
                          .request(order.id())
                          .version(Instant.EPOCH.plusSeconds(order.total()))
                          .tie(tie)
                          .upsert(),
                      (key, content) -> {
                        world.apply(content);
                      });
                  return "ok";
                }));
  }

  @Test
  void other_content_under_an_equal_version_is_refused() {
    var flow = versioned(Tie.REJECT);
    hapax.start(flow, new Order("first", 7)).await();

    assertThatThrownBy(() -> hapax.start(flow, new Order("second", 7)).await())
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("effect-key-reused");
    assertThat(world.arrivals()).containsExactly("first");
  }

  @Test
  void other_content_under_an_equal_version_is_sent_if_the_effect_applies_ties() {
    var flow = versioned(Tie.APPLY);
    hapax.start(flow, new Order("first", 7)).await();

    hapax.start(flow, new Order("second", 7)).await();
    hapax.start(flow, new Order("old", 6)).await();

    assertThat(world.arrivals()).containsExactly("first", "second");
    assertThat(effect(EffectState.DONE).revision()).isEqualTo(2);
  }

  @Test
  void an_effect_cannot_wait_for_a_person_because_of_a_tie() {
    assertThatThrownBy(() -> Effect.update("C").request(1).version(1).tie(Tie.REVIEW))
        .hasMessageContaining("expected APPLY or REJECT");
  }

  @Test
  void an_update_that_a_person_settled_is_not_sent_again_over_newer_data() {
    var failures = new AtomicInteger();
    var flow =
        register(
            sync()
                .key(order -> order.id() + order.total())
                .body(
                    (run, order) -> {
                      run.effect(
                          "crm",
                          Effect.update(order.id()).request(order.total()).unguarded().name("crm"),
                          (_, total) -> {
                            world.loseFirstAnswer("" + total);
                          });
                      if (order.total() == 1 && failures.incrementAndGet() == 1) {
                        throw new IllegalStateException("fails after its update");
                      }
                      return "ok";
                    }));
    RunHandle<String> old = hapax.start(flow, new Order("C", 1));
    awaitStatus(old, RunStatus.REVIEW);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "seen", "ada"));
    awaitStatus(old, RunStatus.FAILED);
    hapax.start(flow, new Order("C", 2)).await();

    hapax.retry(old.id(), "ada", flow, new Order("C", 1));

    awaitStatus(old, RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).containsExactly("1", "2");
  }

  @Test
  void a_rerun_of_a_run_that_reused_an_update_does_not_revert_newer_data() {
    var failures = new AtomicInteger();
    var flow =
        register(
            failing(
                sync(), (run, _) -> run.key().equals("reuser") && failures.incrementAndGet() == 1));
    hapax.start(flow, new Order("C", 1), "first").await();
    RunHandle<String> old = hapax.start(flow, new Order("C", 1), "reuser");
    awaitStatus(old, RunStatus.FAILED);
    hapax.start(flow, new Order("C", 2), "newer").await();

    hapax.retry(old.id(), "ada", flow, new Order("C", 1));

    awaitStatus(old, RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).containsExactly("1", "2");
  }
}
