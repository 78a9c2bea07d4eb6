package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Child runs of the items of a loop and of branches beside each other. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildItemsTest extends EngineTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<String> ITEMS = List.of("a", "b", "c");

  private final Set<String> poisoned = ConcurrentHashMap.newKeySet();
  private final AtomicInteger handled = new AtomicInteger();

  private Flow<Order, Receipt> working() {
    return register(
        orders("child")
            .body(
                (run, order) ->
                    run.step(
                        "work",
                        () -> {
                          handled.incrementAndGet();
                          if (poisoned.contains(order.id())) {
                            throw new IllegalStateException("poisoned");
                          }
                          return new Receipt(order.id(), "done");
                        },
                        Receipt.class)));
  }

  private Flow<Order, String> looping(Flow<Order, Receipt> child, Duration timeout) {
    return register(
        Flow.of("parent", Order.class, String.class)
            .key(Order::id)
            .timeout(timeout)
            .body(
                (run, _) -> {
                  var items =
                      run.forEach(
                          "all",
                          Each.of(ITEMS, Function.identity()),
                          (each, item) -> each.call("child", child, order(item)));
                  return items.succeeded() + "/" + items.failed();
                }));
  }

  private List<Run> childrenOf(RunHandle<?> run) {
    return hapax.runs(hapax.runs().childrenOf(hapax.run(run.id())));
  }

  private boolean allAre(RunHandle<?> run, RunStatus status) {
    return childrenOf(run).size() == 3
        && childrenOf(run).stream().allMatch(child -> child.status() == status);
  }

  @Test
  void every_item_has_a_child_and_the_loop_waits_for_all() {
    RunHandle<String> run = hapax.start(looping(working(), HOUR), order("A-1"));

    assertThat(run.await()).isEqualTo("3/0");

    assertThat(handled).hasValue(3);
    assertThat(childrenOf(run)).hasSize(3);
  }

  @Test
  void a_child_that_failed_fails_its_item_alone_and_a_retry_touches_only_that() {
    poisoned.add("b");
    RunHandle<String> run = hapax.start(looping(working(), HOUR), order("A-1"));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.PARTIAL);
    poisoned.clear();

    hapax.retry(run.id(), "ann");

    assertThat(run.await()).isEqualTo("3/0");
    assertThat(handled).hasValue(4);
  }

  @Test
  void a_cancellation_reaches_the_children_of_all_items() {
    RunHandle<String> run = hapax.start(looping(register(sleeping(HOUR)), HOUR), order("A-1"));
    eventually(() -> allAre(run, RunStatus.WAITING));
    awaitReleased(run);

    hapax.cancel(run.id(), "ann", null);

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(allAre(run, RunStatus.CANCELED)).isTrue();
  }

  @Test
  void a_retry_after_a_timeout_lets_the_children_of_all_items_go_on() {
    RunHandle<String> run =
        hapax.start(looping(register(sleeping(HOUR.multipliedBy(3))), HOUR), order("A-1"));
    eventually(() -> allAre(run, RunStatus.WAITING));
    awaitReleased(run);
    moveAndAwait(HOUR, () -> hapax.run(run.id()).status() == RunStatus.FAILED);
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    assertThat(allAre(run, RunStatus.CANCELED)).isTrue();
    time.move(HOUR.multipliedBy(3)); // past what the children wait for

    hapax.retry(run.id(), "ann");

    assertThat(run.await()).isEqualTo("3/0");
    assertThat(childrenOf(run)).hasSize(3);
  }

  @Test
  void branches_wait_for_their_children_beside_each_other() {
    Flow<Order, Receipt> child = register(sleeping(HOUR));
    Flow<Order, String> parent =
        register(
            Flow.of("parent", Order.class, String.class)
                .key(Order::id)
                .body(
                    (run, _) ->
                        run.parallel(
                                List.of(
                                    branch -> branch.call("one", child, order("a")).order(),
                                    branch -> branch.call("two", child, order("b")).order()))
                            .toString()));
    RunHandle<String> run = hapax.start(parent, order("A-1"));
    eventually(
        () ->
            childrenOf(run).size() == 2
                && childrenOf(run).stream().allMatch(of -> of.status() == RunStatus.WAITING));

    moveAndAwait(HOUR, () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    assertThat(run.await()).isEqualTo("[a, b]");
  }
}
