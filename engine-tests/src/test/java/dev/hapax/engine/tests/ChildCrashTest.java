package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The process dies at every commit of a parent and its child in turn, before it lands or after. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildCrashTest extends EngineTest {
  private final Set<String> arrived = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean fails = new AtomicBoolean();
  private final AtomicInteger commits = new AtomicInteger();

  static Stream<Arguments> boundaries() {
    return IntStream.rangeClosed(1, 12)
        .boxed()
        .flatMap(commit -> Stream.of(Arguments.of(commit, false), Arguments.of(commit, true)));
  }

  /** Dies at this commit, counted from now. */
  private void dieAt(int commit, boolean afterLanding) {
    commits.set(0);
    MortalStore doomed = process;
    doomed.beforeCommit(
        _ -> {
          if (commits.incrementAndGet() == commit) {
            if (afterLanding) {
              doomed.failNextCommit(new StoreBroken("the process dies", null), true);
            } else {
              doomed.die();
            }
          }
        });
  }

  private static void unlessDead(Runnable what) {
    try {
      what.run();
    } catch (StoreBroken | StoreClosed e) {
      // the process is dead, and another one will do it
    }
  }

  private String charge(RunContext run, String step, Order order) {
    return run.effect(
        step,
        Effect.create(order.id()).keyed(),
        key -> {
          arrived.add(step + " " + key);
          return key;
        },
        String.class);
  }

  private Flow<Order, Receipt> child() {
    return Flow.of("child", Order.class, Receipt.class)
        .body(
            (run, order) -> {
              run.step(
                  "work",
                  () -> {
                    if (fails.get()) {
                      throw new IllegalStateException("no luck");
                    }
                    return "worked";
                  },
                  String.class);
              return new Receipt(order.id(), charge(run, "charge", order));
            });
  }

  private Flow<Order, Receipt> parentOf(Flow<Order, Receipt> child) {
    return orders("parent")
        .body(
            (run, order) -> {
              charge(run, "reserve", order);
              Receipt receipt = run.call("child", child, order);
              charge(run, "mail", order);
              return receipt;
            });
  }

  private boolean isDeadOr(int commit, RunStatus status) {
    if (commits.get() >= commit) {
      return true;
    }
    try {
      List<Run> runs = hapax.runs(hapax.runs().status(status));
      return runs.stream().anyMatch(run -> run.flow().equals("parent"));
    } catch (StoreBroken e) {
      return true; // it died while we asked
    }
  }

  private List<String> typesOf(Run run) {
    return hapax.history(run.id().toString()).stream().map(HistoryEntry::type).toList();
  }

  private Run onlyChild() {
    List<Run> children =
        hapax.runs(hapax.runs()).stream().filter(run -> run.parent() != null).toList();
    assertThat(children).hasSize(1);
    return children.getFirst();
  }

  @ParameterizedTest
  @MethodSource("boundaries")
  void a_parent_and_its_child_end_once(int commit, boolean afterLanding) {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent = register(parentOf(child));
    dieAt(commit, afterLanding);
    unlessDead(() -> hapax.start(parent, order("A-1")));
    eventually(() -> isDeadOr(commit, RunStatus.SUCCEEDED));

    crash(child, parent);
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(arrived).hasSize(3);
    assertThat(onlyChild().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(typesOf(onlyChild())).containsOnlyOnce("ended");
    assertThat(types(run)).containsOnlyOnce("called", "ended");
  }

  @ParameterizedTest
  @MethodSource("boundaries")
  void a_retry_reaches_the_child_once(int commit, boolean afterLanding) {
    Flow<Order, Receipt> child = register(child());
    Flow<Order, Receipt> parent = register(parentOf(child));
    fails.set(true);
    String run = hapax.start(parent, order("A-1")).id();
    eventually(() -> hapax.run(run).status() == RunStatus.FAILED);
    fails.set(false);
    dieAt(commit, afterLanding);
    unlessDead(() -> hapax.retry(run, "ann"));
    eventually(() -> isDeadOr(commit, RunStatus.SUCCEEDED));

    crash(child, parent);
    if (hapax.run(run).status() == RunStatus.FAILED) {
      hapax.retry(run, "ann");
    }
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run).status() == RunStatus.SUCCEEDED);

    assertThat(arrived).hasSize(3);
    assertThat(typesOf(onlyChild())).containsOnlyOnce("retried");
  }

  @ParameterizedTest
  @MethodSource("boundaries")
  void a_cancellation_reaches_the_child(int commit, boolean afterLanding) {
    Flow<Order, Receipt> child = register(sleeping(Duration.ofDays(1)));
    Flow<Order, Receipt> parent = register(parentOf(child));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    eventually(() -> onlyChild().status() == RunStatus.WAITING);
    dieAt(commit, afterLanding);
    unlessDead(() -> hapax.cancel(run.id(), "ann", null));
    eventually(() -> isDeadOr(commit, RunStatus.CANCELED));

    crash(child, parent);
    if (hapax.run(run.id()).cancel() == null) {
      hapax.cancel(run.id(), "ann", null);
    }
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status() == RunStatus.CANCELED);

    assertThat(onlyChild().status()).isEqualTo(RunStatus.CANCELED);
    assertThat(cancel(onlyChild().id().toString()).actor()).isEqualTo("run " + run.id());
    assertThat(types(run)).containsOnlyOnce("cancel-requested", "ended");
  }

  @Test
  void a_child_that_ends_while_its_parents_code_is_not_here_is_not_missed() {
    Flow<Order, Receipt> child = child();
    Flow<Order, Receipt> parent = register(parentOf(child));
    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));
    awaitReleased(run);
    crash(child);
    eventually(() -> onlyChild().status() == RunStatus.SUCCEEDED);
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);

    register(parent);

    assertThat(hapax.handle(run.id(), Receipt.class).await().order()).isEqualTo("A-1");
  }
}
