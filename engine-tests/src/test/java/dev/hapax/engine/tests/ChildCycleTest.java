package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Runs that would wait for one another for ever, and calls without an end. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildCycleTest extends EngineTest {
  /** Flows that call each other name a flow that is made after them. */
  private final AtomicReference<Flow<Order, Receipt>> first = new AtomicReference<>();

  private Flow<Order, Receipt> calling(String name, AtomicReference<Flow<Order, Receipt>> other) {
    return register(orders(name).body((run, order) -> run.call("next", other.get(), order)));
  }

  @Test
  void a_run_that_calls_itself_under_its_own_key_fails() {
    first.set(calling("self", first));

    RunHandle<Receipt> run = hapax.start(first.get(), order("A-1"));

    assertFails(run, "child-cycle").hasMessageContaining(run.id());
    assertThat(entry(run, "called").decision()).isEqualTo("child-cycle");
  }

  @Test
  void a_circle_of_three_runs_fails_all_of_them_and_leaves_none_waiting() {
    var second = new AtomicReference<Flow<Order, Receipt>>();
    var third = new AtomicReference<Flow<Order, Receipt>>();
    first.set(calling("first", second));
    second.set(calling("second", third));
    third.set(calling("third", first));

    RunHandle<Receipt> run = hapax.start(first.get(), order("A-1"));

    assertFails(run, "child-cycle");
    assertThat(hapax.runs(hapax.runs()))
        .hasSize(3)
        .allMatch(each -> each.status() == RunStatus.FAILED);
    assertThat(error(hapax.id("second", "A-1")).message()).contains(hapax.id("third", "A-1"));
  }

  @Test
  void a_flow_that_calls_itself_under_ever_new_keys_stops_at_a_depth() {
    first.set(
        register(
            orders("deep")
                .body(
                    (run, order) ->
                        run.call(
                            "next",
                            first.get(),
                            new Order("A-" + (order.total() + 1), order.total() + 1)))));

    RunHandle<Receipt> run = hapax.start(first.get(), new Order("A-0", 0));

    assertFails(run, "child-depth");
    assertThat(hapax.runs(hapax.runs())).hasSize(65);
    Run deepest = hapax.run(hapax.id("deep", "A-64"));
    assertThat(deepest.depth()).isEqualTo(64);
    assertThat(error(hapax.id("deep", "A-64")).message())
        .contains("64 runs above this one already wait");
  }

  @Test
  void a_flow_that_spawns_its_successor_goes_on() {
    Flow<Order, Receipt> chain =
        orders("chain")
            .body(
                (run, order) -> {
                  if (order.total() < 100) {
                    int next = order.total() + 1;
                    run.spawn("next", first.get(), new Order("A-" + next, next));
                  }
                  return null;
                });
    first.set(register(chain));

    hapax.start(chain, new Order("A-0", 0));

    eventually(
        () ->
            hapax.runs(hapax.runs()).stream()
                .anyMatch(run -> run.key().equals("A-100") && run.status() == RunStatus.SUCCEEDED));
  }
}
