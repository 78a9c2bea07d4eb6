package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Flow.OnNewRelease;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Releases whose runs wait for those of the releases before. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class DrainTest extends EngineTest {
  private final List<String> begun = new CopyOnWriteArrayList<>();

  /** Orders that begin must find these ended. */
  private final List<RunHandle<?>> awaited = new CopyOnWriteArrayList<>();

  private final List<String> tooEarly = new CopyOnWriteArrayList<>();

  private Flow<Order, Receipt> release(int number, OnNewRelease onNewRelease) {
    return orders("drained")
        .release(number)
        .onNewRelease(onNewRelease)
        .body(
            (run, order) -> {
              if (!awaited.stream().allMatch(this::isEnded)) {
                tooEarly.add(order.id());
              }
              begun.add(order.id());
              run.step("begin", () -> order.id(), String.class);
              run.sleep("work", Duration.ofHours(1));
              return new Receipt(order.id(), "release " + number);
            });
  }

  private boolean isEnded(RunHandle<?> run) {
    return hapax.run(run.id()).status() == RunStatus.SUCCEEDED;
  }

  @Test
  void a_run_begins_when_those_of_other_releases_have_ended() {
    Flow<Order, Receipt> first = register(release(1, OnNewRelease.COEXIST));
    Flow<Order, Receipt> second = register(release(2, OnNewRelease.DRAIN));
    RunHandle<Receipt> old = hapax.start(first, order("old"));
    awaitReleased(old);

    awaited.add(old);
    RunHandle<Receipt> next = hapax.start(second, order("next"));
    awaitReleased(next);
    assertThat(begun).doesNotContain("next");
    crash(first, second);
    moveUntil(Duration.ofSeconds(10), () -> isEnded(old));

    assertThat(entry(next, "turn-awaited").decision())
        .isEqualTo("waits: runs of release 1 that were started before have not ended");

    moveUntil(Duration.ofSeconds(10), () -> begun.contains("next"));
    assertThat(tooEarly).doesNotContain("next");
    moveUntil(Duration.ofMinutes(1), () -> isEnded(next));
    assertThat(types(next)).containsOnlyOnce("turn-awaited");
  }

  @Test
  void runs_of_one_release_do_not_wait_for_each_other() {
    Flow<Order, Receipt> flow = register(release(1, OnNewRelease.DRAIN));

    awaitReleased(hapax.start(flow, order("one")));
    awaitReleased(hapax.start(flow, order("other")));

    assertThat(begun).containsExactly("one", "other");
  }

  @Test
  void what_is_held_back_is_waited_for_too() {
    Flow<Order, Receipt> first = register(release(1, OnNewRelease.COEXIST));
    Flow<Order, Receipt> second = register(release(2, OnNewRelease.DRAIN));
    Flow<Order, Receipt> third = register(release(3, OnNewRelease.DRAIN));
    awaitReleased(hapax.start(first, order("one")));
    awaitReleased(hapax.start(second, order("two")));
    RunHandle<Receipt> last = hapax.start(third, order("three"));
    awaitReleased(last);

    moveUntil(Duration.ofMinutes(1), () -> isEnded(last));

    assertThat(begun.stream().distinct()).containsExactly("one", "two", "three");
  }

  @Test
  void a_release_that_coexists_does_not_wait() {
    Flow<Order, Receipt> first = register(release(1, OnNewRelease.DRAIN));
    Flow<Order, Receipt> second = register(release(2, OnNewRelease.COEXIST));

    awaitReleased(hapax.start(first, order("one")));
    awaitReleased(hapax.start(second, order("two")));

    assertThat(begun).containsExactly("one", "two");
  }

  @Test
  void a_run_that_is_held_back_can_be_canceled() {
    Flow<Order, Receipt> first = register(release(1, OnNewRelease.COEXIST));
    Flow<Order, Receipt> second = register(release(2, OnNewRelease.DRAIN));
    awaitReleased(hapax.start(first, order("one")));
    RunHandle<Receipt> next = hapax.start(second, order("two"));
    awaitReleased(next);

    hapax.cancel(next.id(), "ada", "not needed");

    awaitStatus(next, RunStatus.CANCELED);
    assertThat(types(next)).doesNotContain("step-done");
  }

  @Test
  void a_child_never_waits_for_its_parent() {
    Flow<Order, Receipt> child = register(release(2, OnNewRelease.DRAIN));
    Flow<Order, Receipt> parent =
        register(orders("drained").body((run, order) -> run.call("child", child, order("child"))));

    RunHandle<Receipt> run = hapax.start(parent, order("parent"));
    moveUntil(Duration.ofMinutes(1), () -> isEnded(run));

    assertThat(begun).contains("child");
  }
}
