package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import org.junit.jupiter.api.Test;

/** The code of docs/start/child-runs.md. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildRunsExampleTest extends EngineTest {
  record Label(String number) {}

  @Test
  void a_run_calls_one_flow_and_spawns_another() {
    Flow<Order, Label> ship =
        Flow.of("ship", Order.class, Label.class)
            .body((_, order) -> new Label("label of " + order.id()));
    Flow<Order, String> survey =
        Flow.of("survey", Order.class, String.class).body((_, order) -> "asked " + order.id());
    Flow<Order, Receipt> parent =
        Flow.of("order", Order.class, Receipt.class)
            .key(Order::id)
            .body(
                (run, order) -> {
                  Label label = run.call("ship", ship, order); // waits; the run leaves memory
                  run.spawn("survey", survey, order); // starts it and goes on
                  return new Receipt(order.id(), label.number());
                });
    register(ship);
    register(survey);
    register(parent);

    RunHandle<Receipt> run = hapax.start(parent, order("A-1"));

    assertThat(run.await()).isEqualTo(new Receipt("A-1", "label of A-1"));
    assertThat(hapax.runs(hapax.runs().childrenOf(hapax.run(run.id()))))
        .extracting(Run::key)
        .containsExactlyInAnyOrder(run.id() + "/ship", run.id() + "/survey");
  }
}
