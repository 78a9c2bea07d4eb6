package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Settlement;
import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A saga of three effects whose process dies before each of its commits in turn: with every guard
 * of the undo, each effect and each undo happens once, and in order.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompensationCrashTest extends SagaTest {
  private static final List<String> STEPS = List.of("flight", "hotel", "car");

  /** The keys under which the destination has something. */
  private final Set<String> applied = ConcurrentHashMap.newKeySet();

  private final DestinationDatabase<String> database =
      (marker, work) -> applied.add(marker) ? work.in("connection") : "null";

  @ParameterizedTest
  @ValueSource(strings = {"keyed", "upsert", "transaction", "lookup", "none"})
  void every_undo_happens_once_wherever_the_process_dies(String guard) {
    int deaths = 0;
    while (dies(guard, deaths + 1)) {
      deaths++;
      assertThat(world)
          .as("guard %s, died before commit %d", guard, deaths)
          .containsExactly("flight", "hotel", "car", "undo-car", "undo-hotel", "undo-flight");
    }

    assertThat(deaths).isGreaterThan(6);
  }

  /** Runs a saga whose process dies before this commit; returns whether it reached the commit. */
  private boolean dies(String guard, int before) {
    world.clear();
    var flow = trip(guard);
    String key = guard + "-" + before;
    crash(flow);
    var commits = new AtomicInteger();
    MortalStore mortal = process;
    mortal.beforeCommit(
        _ -> {
          if (commits.incrementAndGet() == before) {
            mortal.die();
          }
        });
    Thread.startVirtualThread(() -> startIfAlive(flow, key));
    eventually(() -> commits.get() >= before || isCompensated(key));
    boolean died = commits.get() >= before;
    crash(flow);
    hapax.start(flow, order(key));
    moveUntil(Duration.ofMillis(200), () -> settleByTruth() && isCompensated(key));
    for (String step : STEPS) {
      assertThat(effects(key, "trip/" + step)).containsExactly(EffectState.UNDONE);
    }
    return died;
  }

  private void startIfAlive(Flow<Order, Receipt> flow, String key) {
    try {
      hapax.start(flow, order(key));
    } catch (StoreBroken e) {
      // it died before the run was durable; the next process starts it
    }
  }

  private boolean isCompensated(String key) {
    try {
      return hapax.run(hapax.id("trip", key)).status() == RunStatus.COMPENSATED;
    } catch (RuntimeException e) {
      return false; // the process is dead, or the run is not there yet
    }
  }

  private List<EffectState> effects(String key, String name) {
    return hapax.effects(hapax.effects()).stream()
        .filter(row -> row.key().key().equals(key) && row.key().name().equals(name))
        .map(EffectRecord::state)
        .toList();
  }

  /** The person on call looks at the destination. */
  private boolean settleByTruth() {
    for (EffectRecord row : hapax.effects(hapax.effects().state(EffectState.REVIEW))) {
      String what = "undo-" + row.step().name().replace(".undo", "");
      hapax.settle(
          row.id(),
          world.contains(what)
              ? Settlement.happened(null, "it is there", "ann")
              : Settlement.notHappened("it is not there", "ann"));
    }
    return true;
  }

  private Flow<Order, Receipt> trip(String guard) {
    return trips()
        .body(
            (run, order) -> {
              for (String step : STEPS) {
                run.effect(step, booking(order, undo(guard, step)), key -> sendOnce(key, step));
              }
              throw new IllegalStateException("no money");
            });
  }

  /** The destination removes duplicates by the key. */
  private void sendOnce(String key, String what) {
    if (applied.add(key)) {
      send(what);
    }
  }

  private Undo undo(String guard, String step) {
    String what = "undo-" + step;
    return switch (guard) {
      case "keyed" -> Undo.keyed(key -> sendOnce(key, what));
      case "upsert" -> Undo.upsert(key -> sendOnce(key, what));
      case "transaction" -> Undo.transaction(database, (_, _) -> send(what));
      case "lookup" ->
          Undo.lookup(
              _ -> world.contains(what) ? Optional.of(what) : Optional.empty(), _ -> send(what));
      default -> Undo.unguarded(_ -> send(what));
    };
  }
}
