package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.testkit.FlowTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that a flow file starts and does not await, and children that have failed before. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DetachTest extends LoadedFlowTest {
  private final LoadedFlow other =
      load(
          """
          flow: other
          steps:
            - id: pause
              wait: {for: 2h}
            - id: ship
              call: {handler: fragile, input: "${input.id}"}
              effect: {kind: create, key: "${input.id}", guard: keyed}
          output: {shipped: true}
          """);

  @Test
  void a_run_that_was_started_goes_on_when_its_starter_is_canceled() {
    LoadedFlow flow =
        load(
            """
            flow: starter
            key: ${input.id}
            steps:
              - id: start
                flow: {name: other, input: {id: "${input.id}"}, key: "o/${input.id}", detach: true}
              - id: tell
                set: {run: "${steps.start.output.run}"}
              - id: pause
                wait: {for: 10h}
            output: ${steps.tell.output.run}
            """);
    try (FlowTest test = FlowTest.of(other.flow(), flow.flow())) {
      RunHandle<Object> run = flow.start(test.hapax(), Map.of("id", "A"));
      test.move(Duration.ofMinutes(1));
      test.hapax().cancel(run.id(), "ann", "enough");
      test.crash();
      test.move(Duration.ofHours(3));

      assertThat(test.hapax().run(run.id()).status()).isEqualTo(RunStatus.CANCELED);
      assertThat(calls).containsExactly("fragile A");
    }
  }

  @Test
  void a_failed_child_is_retried_by_a_new_run_that_says_so() {
    String caller =
        """
        flow: %s
        key: ${input.id}
        steps:
          - id: child
            flow: {name: other, input: {id: bad}, key: same%s}
        """;
    LoadedFlow first = load(caller.formatted("first", ""));
    LoadedFlow second = load(caller.formatted("second", ", onFailed: retry"));
    try (FlowTest test = FlowTest.of(other.flow(), first.flow(), second.flow())) {
      RunHandle<Object> one = first.start(test.hapax(), Map.of("id", "A"));
      moveUntilEnded(test, one);
      RunHandle<Object> again = first.start(test.hapax(), Map.of("id", "B"));
      RunHandle<Object> two = second.start(test.hapax(), Map.of("id", "A"));
      moveUntilEnded(test, two);

      assertThat(test.hapax().run(one.id()).status()).isEqualTo(RunStatus.FAILED);
      assertThat(test.hapax().run(again.id()).status()).isEqualTo(RunStatus.FAILED);
      assertThat(test.hapax().run(two.id()).status()).isEqualTo(RunStatus.FAILED);
      assertThat(calls).containsExactly("fragile bad", "fragile bad");
    }
  }

  private static void moveUntilEnded(FlowTest test, RunHandle<?> run) {
    for (int i = 0; i < 100 && !test.hapax().run(run.id()).status().isEnd(); i++) {
      test.move(Duration.ofHours(1));
    }
  }

  @Test
  void a_run_that_is_not_awaited_cannot_say_what_happens_if_it_has_failed() {
    assertThat(
            Check.check(
                    "f.yaml",
                    """
                    flow: f
                    key: ${input.id}
                    steps:
                      - id: child
                        flow: {name: other, key: "${input.id}", detach: true, onFailed: retry}
                    """)
                .findings())
        .extracting(Finding::message)
        .containsExactly("a flow with detach is not awaited, so it cannot have onFailed");
  }
}
