package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ReplayWish;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Any sequence of crashes, retries and replays sends each revision of an effect once. */
class ReplaySequencesTest extends EngineTest {
  private static final int SEEDS = 60;
  private static final int ACTS = 12;

  /** By wire key, which is another one for each revision. */
  private final Map<String, Integer> applied = new ConcurrentHashMap<>();

  private final AtomicInteger price = new AtomicInteger();
  private final AtomicInteger creates = new AtomicInteger();
  private final AtomicInteger trouble = new AtomicInteger();

  private final Flow<Order, String> first = made(1);
  private final Flow<Order, String> second = made(2);

  private void apply(String key) throws NotApplied {
    switch (trouble.getAndUpdate(left -> Math.max(0, left - 1))) {
      case 1 -> throw new Rejected("refused", "not now");
      case 3 -> throw new NotApplied("busy");
      default -> applied.merge(key, 1, Integer::sum);
    }
  }

  private Flow<Order, String> made(int release) {
    return Flow.of("chain", Order.class, String.class)
        .key(Order::id)
        .release(release)
        .body(
            (run, order) -> {
              int total = run.step("price", price::get, Integer.class);
              run.effect(
                  "charge",
                  Effect.create(order.id()).request(total).keyed().name("charge"),
                  (key, _) -> {
                    apply(key);
                    creates.incrementAndGet();
                  });
              int more = run.step("more", price::get, Integer.class);
              run.effect(
                  "book",
                  Effect.update(order.id()).request(total + more + release).upsert().name("book"),
                  (key, _) -> {
                    apply(key);
                  });
              run.effect(
                  "mail",
                  Effect.notify(order.id() + (more % 2)).keyed().name("mail"),
                  key -> {
                    apply(key);
                  });
              return "ok";
            });
  }

  @Test
  void no_revision_is_sent_twice_and_no_create_has_two_that_happened() {
    for (int seed = 0; seed < SEEDS; seed++) {
      applied.clear();
      creates.set(0);
      crash(first, second); // the store stays, so each seed has its own key
      live(new Random(seed), "S" + seed);
      assertThat(applied.values()).as("seed %d", seed).allMatch(times -> times == 1);
      assertThat(creates).as("seed %d", seed).hasValueLessThanOrEqualTo(1);
    }
  }

  private void live(Random random, String key) {
    trouble.set(random.nextInt(5));
    RunHandle<String> run = hapax.start(first, order(key));
    for (int act = 0; act < ACTS; act++) {
      settle(run);
      price.set(random.nextInt(3));
      trouble.set(random.nextInt(5));
      switch (random.nextInt(6)) {
        case 0 -> crash(first, second);
        case 1 -> tell(() -> hapax.retry(run.id(), "ada"));
        case 2 -> replay(run, ReplayWish.ALL);
        case 3 ->
            replay(
                run,
                ReplayWish.from(List.of("charge", "more", "book", "mail").get(random.nextInt(4))));
        case 4 -> replay(run, ReplayWish.from("more").withOutput("price", "" + random.nextInt(4)));
        default -> replay(run, ReplayWish.ALL.onRelease(1 + random.nextInt(2)));
      }
    }
    settle(run);
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
