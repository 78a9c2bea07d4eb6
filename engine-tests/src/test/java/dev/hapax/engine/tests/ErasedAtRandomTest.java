package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.ErasureWish;
import dev.hapax.JobRequest;
import dev.hapax.KeyReused;
import dev.hapax.RunHandle;
import dev.hapax.SubjectErasure;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Starts, failures, retries, replays, jobs, forgotten keys, crashes and erasures in any order send
 * nothing twice. A plan may be older than an erasure, and an erasure may come in the middle of a
 * replay.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ErasedAtRandomTest extends EngineTest {
  private static final int ACTIONS = 60;
  private static final int PEOPLE = 3;
  private static final int KEYS = 4;

  /**
   * The wire keys under which each order was charged. A keyed destination applies a key once: after
   * a crash in the middle of an attempt the same key may come again.
   */
  private final Map<String, Set<String>> applied = new ConcurrentHashMap<>();

  private final AtomicInteger sends = new AtomicInteger();
  private final List<ReplayPlan> plans = new ArrayList<>();
  private final List<SubjectErasure> erasures = new ArrayList<>();
  private final List<Flow<?, ?>> flows = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void no_effect_is_sent_twice_whatever_is_erased(long seed) {
    var random = new Random(seed);
    List<Flow<Order, Receipt>> kinds = List.of(flow("order"), flow("rush"));
    kinds.forEach(this::register);
    flows.addAll(kinds);

    for (int i = 0; i < ACTIONS; i++) {
      Flow<Order, Receipt> flow = kinds.get(random.nextInt(kinds.size()));
      // The total tells the person, so that each key belongs to one of them.
      int key = random.nextInt(KEYS);
      Order order = new Order("A-" + key, key % PEOPLE);
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> start(flow, order);
        case 4 -> erase(order.total());
        case 5 -> retry(flow, order);
        case 6 -> forget(flow, order);
        case 7 -> plan(flow, order);
        case 8 -> replay(random);
        case 9 -> replayMany(flow);
        default -> {
          if (random.nextInt(3) == 0) {
            crash(kinds.toArray(Flow<?, ?>[]::new));
          } else {
            moveSteps(2, Duration.ofMinutes(2));
          }
        }
      }
    }

    moveUntil(
        Duration.ofMinutes(10),
        () -> erasures.stream().allMatch(one -> hapax.subjects().erasure(one.id()).isDone()));
    applied.forEach((order, wireKeys) -> assertThat(wireKeys).as(order).hasSize(1));
    for (Run run : hapax.runs(hapax.runs())) {
      assertThat(run.isErased() && !run.status().isEnd()).isFalse();
    }
  }

  private Flow<Order, Receipt> flow(String name) {
    return orders(name)
        .subject(order -> "person-" + order.total())
        .body(
            (run, order) -> {
              run.step("greet", () -> "dear person-" + order.total(), String.class);
              if (order.id().endsWith("1")) {
                run.sleep("pause", Duration.ofMinutes(3));
              }
              // Both flows share the effect.
              String done =
                  run.effect(
                      "charge",
                      Effect.create(order.id())
                          .request(order)
                          .keyed(Duration.ofDays(7))
                          .name("charge"),
                      key -> send(order, key),
                      String.class);
              return new Receipt(order.id(), done);
            });
  }

  /** Refuses every third request under a key that it has not applied yet. */
  private String send(Order order, String wireKey) {
    Set<String> charged = applied.computeIfAbsent(order.id(), _ -> ConcurrentHashMap.newKeySet());
    if (!charged.contains(wireKey) && sends.incrementAndGet() % 3 == 0) {
      throw new Rejected("declined", "no, person-" + order.total(), null);
    }
    charged.add(wireKey);
    return "charged person-" + order.total();
  }

  private void start(Flow<Order, Receipt> flow, Order order) {
    try {
      RunHandle<Receipt> run = hapax.start(flow, order);
      eventually(() -> run.run().status().isEnd() || run.run().status() == RunStatus.WAITING);
    } catch (KeyReused e) {
      throw new AssertionError("the input of a key never changes", e);
    }
  }

  private void erase(int person) {
    String id = "person-" + person;
    hapax.subjects().plan(id, ErasureWish.DEFAULT);
    erasures.add(hapax.subjects().erase(id, "ann", "asked", ErasureWish.DEFAULT));
  }

  private void retry(Flow<Order, Receipt> flow, Order order) {
    try {
      hapax.retry(hapax.id(flow.name(), order.id()), "ann");
    } catch (NotPossible | NotFound e) {
      assertThat(e).hasMessageNotContaining("person-");
    }
  }

  private void plan(Flow<Order, Receipt> flow, Order order) {
    allowed(
        () -> plans.add(hapax.replays().plan(hapax.id(flow.name(), order.id()), ReplayWish.ALL)));
  }

  /** The plan may be from before an erasure. */
  private void replay(Random random) {
    if (!plans.isEmpty()) {
      ReplayPlan plan = plans.remove(random.nextInt(plans.size()));
      allowed(() -> hapax.replays().apply(plan, "ann", "again"));
    }
  }

  private void replayMany(Flow<Order, Receipt> flow) {
    Job job =
        hapax
            .jobs()
            .plan(
                JobRequest.replay(JobSelection.NONE.flow(flow.name()), ReplayWish.ALL, "ann")
                    .rate(1_000));
    moveUntil(
        Duration.ofSeconds(10), () -> hapax.jobs().job(job.id()).state() != JobState.PLANNING);
    allowed(() -> hapax.jobs().apply(job.id(), "ann", null));
  }

  /** Says why it is not possible, without a value of the person. */
  private static void allowed(Runnable act) {
    try {
      act.run();
    } catch (NotPossible | NotFound e) {
      assertThat(e).hasMessageNotContaining("person-");
    }
  }

  private void forget(Flow<Order, Receipt> flow, Order order) {
    try {
      hapax.forget(flow, order.id(), "ann", "again");
    } catch (NotPossible | NotFound e) {
      assertThat(e).isNotNull();
    }
  }
}
