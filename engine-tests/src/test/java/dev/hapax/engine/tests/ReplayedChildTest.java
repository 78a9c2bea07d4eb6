package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run and the run that it calls are replayed one by one; neither makes the other one rerun. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReplayedChildTest extends EngineTest {
  private static final int NONE = 0;

  private final AtomicInteger price = new AtomicInteger(1);
  private final List<String> noted = Collections.synchronizedList(new ArrayList<>());
  private final Flow<Order, String> child =
      Flow.of("child", Order.class, String.class)
          .key(order -> "of/" + order.id())
          .body(
              (run, _) -> {
                run.sleep("pause", Duration.ofSeconds(1));
                return "price " + run.step("look", this::look, Integer.class);
              });
  private final Flow<Order, String> parent =
      Flow.of("parent", Order.class, String.class)
          .key(Order::id)
          .body(
              (run, order) -> {
                String heard = run.call("ask", child, order);
                run.step("note", () -> noted.add(heard), Boolean.class);
                return heard;
              });

  private int look() {
    if (price.get() == NONE) {
      throw new IllegalStateException("there is no price");
    }
    return price.get();
  }

  @BeforeEach
  void registerBoth() {
    register(child);
    register(parent);
  }

  private RunHandle<String> ended() {
    RunHandle<String> run = hapax.start(parent, order("A"));
    moveUntil(Duration.ofSeconds(1), () -> run.run().status().isEnd());
    return run;
  }

  private String childId() {
    return hapax.id("child", "of/A");
  }

  private ReplayPlan replay(String run, ReplayWish wish) {
    ReplayPlan plan = hapax.replays().plan(run, wish);
    hapax.replays().apply(plan, "ada", "a test");
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run).status().isEnd());
    return plan;
  }

  @Test
  void a_parent_that_has_read_the_old_output_is_not_rerun_with_its_child() {
    RunHandle<String> run = ended();
    int entries = hapax.history(run.id()).size();
    price.set(2);

    replay(childId(), ReplayWish.from("look"));

    assertThat(hapax.run(childId()).output()).isEqualTo("\"price 2\"");
    assertThat(run.await()).isEqualTo("price 1");
    assertThat(hapax.history(run.id())).hasSize(entries);
    assertThat(noted).containsExactly("price 1");
  }

  @Test
  void a_replay_of_a_parent_hears_how_its_child_has_ended_and_does_not_rerun_it() {
    RunHandle<String> run = ended();
    price.set(2);
    replay(run.id(), ReplayWish.ALL);
    assertThat(run.await()).isEqualTo("price 1");
    replay(childId(), ReplayWish.from("look"));
    int entries = hapax.history(childId()).size();

    replay(run.id(), ReplayWish.from("ask"));

    assertThat(run.await()).isEqualTo("price 2");
    assertThat(hapax.history(childId())).hasSize(entries);
  }

  @Test
  void what_failed_in_a_child_is_put_right_there_and_then_in_its_parent() {
    price.set(NONE);
    RunHandle<String> run = ended();
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    price.set(3);

    ReplayPlan early = hapax.replays().plan(run.id(), ReplayWish.ALL);
    replay(childId(), ReplayWish.ALL);
    replay(run.id(), ReplayWish.ALL);

    assertThat(early.ends()).contains("child run " + childId(), "ended as failed");
    assertThat(early.items().getFirst().note()).contains("attached to run " + childId(), "failed");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.await()).isEqualTo("price 3");
  }
}
