package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks of a flow file inside each other: no record of one hides that of another. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NestedBlocksTest {
  private final List<String> sent = Collections.synchronizedList(new ArrayList<>());
  private volatile String refused = "";
  private final ManualTime moment = new ManualTime(); // what now() says, beside the engine's time
  private final FlowFiles files =
      FlowFiles.with(moment.ports())
          .handler(
              "send",
              (input, _) -> {
                if (refused.equals(input)) {
                  throw new Rejected("refused", "not this one");
                }
                sent.add(String.valueOf(input));
                return input;
              })
          .open();

  private LoadedFlow load(String text) {
    return files.load("test.yaml", text, 1);
  }

  private static Object items(String... items) {
    return Map.of("id", "A", "items", List.of(items));
  }

  private static Run after(FlowTest test, RunHandle<Object> run, Duration time) {
    test.crash();
    test.move(time);
    return test.hapax().run(run.id());
  }

  @Test
  void items_of_a_loop_that_choose_and_wait_all_send() {
    LoadedFlow flow =
        load(
            """
            flow: orders
            key: ${input.id}
            steps:
              - id: each
                forEach: ${input.items}
                itemKey: ${item}
                choose:
                  - when: ${item != 'c'}
                    steps:
                      - id: pause
                        wait: {for: 1h}
                      - id: tell
                        call: {handler: send, input: "${item}"}
                        effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
                  - otherwise:
                      - id: other
                        wait: {for: 1h}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b", "c", "d"));

      assertThat(after(test, run, Duration.ofHours(2)).status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent).containsExactlyInAnyOrder("a", "b", "d");
    }
  }

  @Test
  void what_items_of_a_loop_did_is_undone_for_each_of_them() {
    LoadedFlow flow =
        load(
            """
            flow: undone
            key: ${input.id}
            onFailure: compensate
            steps:
              - id: each
                forEach: {items: "${input.items}", atOnce: 1}
                itemKey: ${item}
                call: {handler: send, input: "${item}"}
                effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
                compensate:
                  call: {handler: send, input: "undo ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
              - id: stop
                fail: {code: enough}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b", "c"));

      assertThat(run.run().status()).isEqualTo(RunStatus.COMPENSATED);
      assertThat(sent).containsExactly("a", "b", "c", "undo c", "undo b", "undo a");
    }
  }

  @Test
  void what_a_corrected_input_leaves_behind_is_undone() {
    LoadedFlow flow =
        load(
            """
            flow: corrected
            key: ${input.id}
            steps:
              - id: each
                forEach: {items: "${input.items}", atOnce: 1}
                itemKey: ${item}
                call: {handler: send, input: "${item}"}
                effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
                compensate:
                  call: {handler: send, input: "undo ${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
              - id: many
                choose:
                  - when: ${size(input.items) > 1}
                    steps:
                      - id: boss
                        call: {handler: send, input: "boss"}
                        effect: {kind: create, key: "${input.id}", guard: keyed}
                        compensate:
                          call: {handler: send, input: "undo boss"}
                          effect: {kind: create, key: "${input.id}", guard: keyed}
                      - id: stop
                        fail: {code: enough}
                  - otherwise:
                      - id: pause
                        wait: {for: 1h}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b"));
      test.hapax().retry(run.id(), "ann", flow.flow(), items("a"));

      test.hapax().cancelAndCompensate(run.id(), "ann", null);

      assertThat(after(test, run, Duration.ofMinutes(1)).status()).isEqualTo(RunStatus.COMPENSATED);
      assertThat(sent).containsExactly("a", "b", "boss", "undo boss", "undo b", "undo a");
    }
  }

  @Test
  void an_item_that_is_retried_keeps_the_branch_that_it_took() {
    LoadedFlow flow =
        load(
            """
            flow: kept
            key: ${input.id}
            steps:
              - id: each
                forEach: ${input.items}
                itemKey: ${item}
                choose:
                  - when: ${now() < timestamp('2026-01-01T00:30:00Z')}
                    steps:
                      - id: early
                        call: {handler: send, input: "early ${item}"}
                        effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
                  - otherwise:
                      - id: late
                        call: {handler: send, input: "late ${item}"}
                        effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
            """);
    refused = "early b";
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b"));
      refused = "";
      moment.move(Duration.ofHours(1));
      test.hapax().retry(run.id(), "ann");
      test.move(Duration.ofHours(1));

      assertThat(test.hapax().run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent).containsExactly("early a", "early b");
    }
  }

  @Test
  void a_failed_item_whose_step_goes_on_has_not_failed_after_a_crash_either() {
    LoadedFlow flow =
        load(
            """
            flow: passed-over
            key: ${input.id}
            steps:
              - id: each
                forEach: ${input.items}
                itemKey: ${item}
                onError: continue
                call: {handler: send, input: "${item}"}
                effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
              - id: pause
                wait: {for: 1h}
            output: ${steps.each.output.succeeded}
            """);
    refused = "b";
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b"));

      assertThat(after(test, run, Duration.ofHours(2)).status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(test.hapax().run(run.id()).output()).isEqualTo("2");
    }
  }

  @Test
  void an_approval_that_can_send_back_is_left_out_if_its_condition_is_false() {
    LoadedFlow flow =
        load(
            """
            flow: not-asked
            key: ${input.id}
            steps:
              - id: draft
                call: {handler: send, input: "draft"}
                effect: {kind: update, key: "${input.id}", guard: upsert}
              - id: release
                when: ${steps.draft.output != 'draft'}
                approval: {ask: "Publish?", rework: draft}
              - id: tell
                call: {handler: send, input: "told ${steps.release.output}"}
                effect: {kind: create, key: "${input.id}", guard: keyed}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items());

      assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent).containsExactly("draft", "told ");
    }
  }

  @Test
  void a_rejected_approval_that_can_send_back_may_be_passed_over() {
    LoadedFlow flow =
        load(
            """
            flow: rejected
            key: ${input.id}
            steps:
              - id: draft
                call: {handler: send, input: "draft"}
                effect: {kind: update, key: "${input.id}", guard: upsert}
              - id: release
                onError: continue
                approval: {ask: "Publish?", rework: draft}
            output: ${steps.release.error.code}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items());
      var approvals = test.hapax().approvals();
      approvals.decide(approvals.list(approvals.open()).getFirst().id(), Verdict.reject("ann"));
      test.move(Duration.ofSeconds(1));

      assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(run.await()).isEqualTo("rejected");
    }
  }

  @Test
  void a_condition_about_the_item_is_asked_of_the_items_of_its_own_loop() {
    LoadedFlow flow =
        load(
            """
            flow: inner-items
            key: ${input.id}
            steps:
              - id: outer
                forEach: ${input.items}
                itemKey: ${item}
                choose:
                  - otherwise:
                      - id: inner
                        forEach: ${[item + '1', item + '2']}
                        itemKey: ${item}
                        when: ${item.endsWith('1')}
                        call: {handler: send, input: "${item}"}
                        effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b"));

      assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent).containsExactlyInAnyOrder("a1", "b1");
    }
  }

  @Test
  void what_a_later_round_publishes_is_another_message() {
    LoadedFlow flow =
        load(
            """
            flow: told-again
            key: ${input.id}
            steps:
              - id: tell
                publish: {url: "http://example.org/hook", type: draft, data: "${rework == null ? 'first' : rework.comment}"}
              - id: release
                approval: {ask: "Publish?", rework: tell}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      test.hapax()
          .outbox()
          .courier("url", message -> sent.add(Json.tree(message.json()).get("data").asString()));
      RunHandle<Object> run = test.start(flow.flow(), items());
      var approvals = test.hapax().approvals();
      approvals.decide(
          approvals.list(approvals.open()).getFirst().id(), Verdict.rework("ann", "second"));
      test.move(Duration.ofSeconds(1));
      approvals.decide(approvals.list(approvals.open()).getFirst().id(), Verdict.approve("ann"));
      test.move(Duration.ofSeconds(1));

      assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent).containsExactly("first", "second");
    }
  }

  @Test
  void a_condition_that_cannot_be_evaluated_fails_its_step_as_an_expression() {
    LoadedFlow flow =
        load(
            """
            flow: conditions
            key: ${input.id}
            steps:
              - id: pick
                choose:
                  - when: ${input.missing.deeper == 1}
                    steps: [{id: one, set: {a: 1}}]
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items());

      var error = Objects.requireNonNull(run.run().error());
      assertThat(error.code()).isEqualTo("expression");
      assertThat(error.step()).isEqualTo("pick");
    }
  }
}
