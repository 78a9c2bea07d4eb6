package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A child is started with what its schema allows, as every run is, or not at all. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChildInputTest {
  private final List<String> sent = Collections.synchronizedList(new ArrayList<>());
  private final FlowFiles files =
      FlowFiles.with(Ports.system())
          .handler(
              "send",
              (input, _) -> {
                sent.add(String.valueOf(input));
                return input;
              })
          .open();

  private LoadedFlow load(String text) {
    return files.load("test.yaml", text, 1);
  }

  private static final String CHILD =
      """
      flow: pay
      input:
        type: object
        required: [amount]
        properties: {amount: {type: integer, minimum: 1}}
      steps:
        - id: tell
          call: {handler: send, input: "paid ${input.amount}"}
          effect: {kind: create, key: "${run.id}", guard: keyed}
      """;

  @Test
  void a_child_whose_input_does_not_fit_its_schema_is_not_started() {
    LoadedFlow child = load(CHILD);
    LoadedFlow parent =
        load(
            """
            flow: parent
            key: ${input.id}
            steps:
              - id: ask
                flow: {name: pay, input: {amount: "${input.amount}"}}
            """);
    try (FlowTest test = FlowTest.of(child.flow(), parent.flow())) {
      RunHandle<Object> bad = test.start(parent.flow(), Map.of("id", "bad", "amount", 0));
      RunHandle<Object> good = test.start(parent.flow(), Map.of("id", "good", "amount", 5));

      var error = Objects.requireNonNull(bad.run().error());
      assertThat(bad.run().status()).isEqualTo(RunStatus.FAILED);
      assertThat(error.code()).isEqualTo("invalid-input");
      assertThat(error.step()).isEqualTo("ask");
      assertThat(error.message()).contains("flow 'pay'", "/amount");
      assertThat(good.run().status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent).containsExactly("paid 5");
    }
  }

  @Test
  void a_body_in_java_is_held_to_the_schema_of_a_flow_that_it_calls_or_spawns() {
    LoadedFlow child = load(CHILD);
    Flow<String, Object> caller =
        Flow.of("caller", String.class, Object.class)
            .key(how -> how)
            .body(
                (run, how) ->
                    how.equals("call")
                        ? run.call("ask", child.flow(), Map.of("amount", "much"))
                        : run.spawn("ask", child.flow(), Map.of()));
    try (FlowTest test = FlowTest.of(child.flow(), caller)) {
      for (String how : List.of("call", "spawn")) {
        RunHandle<Object> run = test.start(caller, how);

        assertThat(Objects.requireNonNull(run.run().error()).code()).isEqualTo("invalid-input");
      }
      assertThat(test.hapax().runs(test.hapax().runs())).noneMatch(run -> run.flow().equals("pay"));
    }
  }
}
