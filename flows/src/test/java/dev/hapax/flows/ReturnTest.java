package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.FlowTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A step that ends the run early. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReturnTest extends LoadedFlowTest {
  private static final String TEXT =
      """
      flow: early
      key: ${input.id}
      steps:
        - id: small
          when: ${input.total < 10}
          return: {output: {free: true, at: "${now() > timestamp('2020-01-01T00:00:00Z')}"}}
        - id: size
          lock: size
          choose:
            - when: ${input.total > 100}
              steps:
                - id: pause
                  wait: {for: 1h}
                - id: big
                  return: {output: "${input.total}"}
        - id: ship
          call: {handler: ship, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: nothing
          when: ${input.total == 50}
          return: {}
      output: {parcel: "${steps.ship.output.parcel}", fails: "${steps.ship.output.parcel.size() / (input.total - 50)}"}
      """;

  @Test
  void a_return_ends_the_run_with_its_own_output() {
    assertThat(run(TEXT, Map.of("id", "a", "total", 5)))
        .isEqualTo(Map.of("free", true, "at", true));
    assertThat(calls).isEmpty();
    assertThat(run(TEXT, Map.of("id", "b", "total", 55)))
        .isEqualTo(Map.of("parcel", "p-b", "fails", 0));
    assertThat(calls).containsExactly("ship b");
  }

  @Test
  void the_output_of_the_flow_is_not_evaluated_then() {
    LoadedFlow flow = load(TEXT);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "c", "total", 50));

      assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(run.run().output()).isEqualTo("null");
    }
  }

  @Test
  void a_return_in_a_branch_under_a_lock_releases_it_and_is_in_the_history() {
    LoadedFlow flow = load(TEXT);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> first = test.start(flow.flow(), Map.of("id", "d", "total", 500));
      RunHandle<Object> second = test.start(flow.flow(), Map.of("id", "e", "total", 20));
      test.crash();
      test.move(Duration.ofHours(2));
      test.move(Duration.ofMinutes(1)); // the second one gets the lock

      assertThat(test.hapax().run(first.id()).output()).isEqualTo("500");
      assertThat(test.hapax().run(second.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(test.history(first))
          .filteredOn(entry -> entry.type().equals("step-done"))
          .extracting(HistoryEntry::step)
          .contains("big");
    }
  }
}
