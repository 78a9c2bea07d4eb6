package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayWish;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Any sequence of crashes, losses at the destination, adoptions, repairs and replays: an object
 * that is there is never made a second time, also if the proof of absence was wrong.
 */
class RepairSequencesTest extends EngineTest {
  private static final int SEEDS = 60;
  private static final int ACTS = 12;

  private final Map<String, String> there = new ConcurrentHashMap<>();
  private final Map<String, Integer> applied = new ConcurrentHashMap<>();
  private final AtomicInteger doubled = new AtomicInteger();
  private final AtomicInteger trouble = new AtomicInteger();
  private final AtomicInteger mails = new AtomicInteger();

  private final Flow<Order, String> flow =
      Flow.of("bill", Order.class, String.class)
          .key(Order::id)
          .body(
              (run, order) -> {
                String id =
                    run.effect(
                        "invoice",
                        Effect.create(order.id())
                            .lookup(
                                _ -> Optional.ofNullable(there.get(order.id())),
                                Duration.ofSeconds(1))
                            .name("invoice"),
                        key -> make(order.id(), key),
                        String.class);
                run.effect(
                    "mail",
                    Effect.notify(order.id()).request(id).keyed().name("mail"),
                    (_, _) -> {
                      mails.incrementAndGet();
                    });
                return id;
              });

  private String make(String order, String key) throws NotApplied {
    int mood = trouble.getAndUpdate(left -> Math.max(0, left - 1));
    if (mood == 3) {
      throw new NotApplied("busy");
    }
    applied.merge(key, 1, Integer::sum);
    if (there.put(order, key) != null) {
      doubled.incrementAndGet();
    }
    if (mood == 1) {
      throw new IllegalStateException("the answer is lost");
    }
    return key;
  }

  @Test
  void what_is_there_is_never_made_again_and_what_is_lost_can_be() {
    int repaired = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      applied.clear();
      mails.set(0);
      crash(flow);
      live(new Random(seed), "S" + seed);
      assertThat(doubled).as("seed %d", seed).hasValue(0);
      assertThat(applied.values()).as("seed %d", seed).allMatch(times -> times == 1);
      assertThat(mails).as("seed %d", seed).hasValueLessThanOrEqualTo(1);
      repaired += applied.size() > 1 ? 1 : 0;
    }
    assertThat(repaired).isGreaterThan(SEEDS / 4);
  }

  private void live(Random random, String key) {
    trouble.set(random.nextInt(5));
    RunHandle<String> run = hapax.start(flow, order(key));
    for (int act = 0; act < ACTS; act++) {
      settle(run);
      trouble.set(random.nextInt(5));
      switch (random.nextInt(6)) {
        case 0 -> crash(flow);
        case 1 -> replay(run, ReplayWish.ALL);
        case 2 -> there.remove(key);
        case 3 -> tell(() -> hapax.retry(run.id(), "ada"));
        default -> repair(run, key);
      }
    }
    settle(run);
  }

  /** Sometimes the evidence is wrong: the object is there all the same. */
  private void repair(RunHandle<?> run, String key) {
    EffectRecord row = hapax.ledger().find("invoice", key);
    if (row != null) {
      var _ = hapax.ledger().adopt(row, "in_" + row.revision());
      replay(
          run,
          ReplayWish.from("invoice")
              .forcingAbsent(row.id(), "missing", "a lookup did not find it"));
    }
  }

  private void replay(RunHandle<?> run, ReplayWish wish) {
    tell(() -> hapax.replays().apply(hapax.replays().plan(run.id(), wish), "ada", "a test"));
  }

  private void settle(RunHandle<?> run) {
    moveUntil(Duration.ofSeconds(2), () -> hapax.run(run.id()).status().isEnd());
  }

  private static void tell(Runnable act) {
    try {
      act.run();
    } catch (NotPossible e) {
      // it says what to do instead
    }
  }
}
