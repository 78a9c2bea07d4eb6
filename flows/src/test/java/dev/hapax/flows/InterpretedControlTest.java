package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.testkit.FlowTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conditions, branches, loops and failures of a flow file. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterpretedControlTest extends LoadedFlowTest {
  @Test
  void a_step_whose_condition_is_false_is_left_out_and_the_history_says_so() {
    LoadedFlow flow =
        load(
            """
            flow: conditions
            key: ${input.id}
            steps:
              - id: skipped
                when: ${input.total > 10}
                call: {handler: ship, input: "${input.id}"}
                effect: {kind: create, key: "${input.id}", guard: keyed}
              - id: done
                when: ${input.total <= 10}
                call: {handler: ship, input: "${input.id}"}
                effect: {kind: create, key: "b/${input.id}", guard: keyed}
            output: ["${steps.skipped.output}", "${steps.done.output.parcel}"]
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A-1", "total", 5));

      assertThat(run.await()).isEqualTo(java.util.Arrays.asList(null, "p-A-1"));
      assertThat(calls).containsExactly("ship A-1");
      assertThat(test.history(run)).extracting(HistoryEntry::step).contains("skipped.when");
    }
  }

  @Test
  void items_with_one_effect_key_do_not_count_as_sent_unless_they_say_the_same() {
    LoadedFlow flow =
        load(
            """
            flow: one-key
            key: ${input.id}
            steps:
              - id: ship
                forEach: ${input.lines}
                itemKey: ${item.sku}
                call: {handler: ship, input: "${item.to}"}
                effect: {kind: create, key: "${input.id}", guard: keyed}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> same = test.start(flow.flow(), lines("A-1", "here", "here", "here"));
      RunHandle<Object> others = test.start(flow.flow(), lines("A-2", "Ulm", "Ulm", "Bonn"));

      same.await();
      assertThatThrownBy(others::await)
          .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo("partial"))
          .hasMessageContaining("of 3 items failed")
          .hasMessageContaining("effect-key-reused");
      assertThat(calls).hasSize(2);
    }
  }

  private static Map<String, Object> lines(String id, String... to) {
    var lines = new ArrayList<Map<String, Object>>();
    for (int i = 0; i < to.length; i++) {
      lines.add(Map.of("sku", "s" + i, "to", to[i]));
    }
    return Map.of("id", id, "lines", lines);
  }

  @Test
  void two_steps_with_one_effect_and_other_content_conflict() {
    LoadedFlow flow =
        load(
            """
            flow: two-mails
            key: ${input.id}
            steps:
              - id: welcome
                call: {handler: ship, input: welcome}
                effect: {name: mail, kind: notify, key: "${input.id}", guard: none}
              - id: invoice
                call: {handler: ship, input: invoice}
                effect: {name: mail, kind: notify, key: "${input.id}", guard: none}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A-1"));

      assertThatThrownBy(run::await)
          .isInstanceOfSatisfying(
              RunFailed.class, e -> assertThat(e.code()).isEqualTo("effect-key-reused"));
      assertThat(calls).containsExactly("ship welcome");
    }
  }

  @Test
  void the_first_branch_whose_condition_holds_runs() {
    String text =
        """
        flow: choices
        key: ${input.id}
        steps:
          - id: size
            choose:
              - when: ${input.total > 100}
                steps: [{id: big, set: {v: big}}]
              - when: ${input.total > 10}
                steps: [{id: middle, set: {v: middle}}]
              - otherwise: [{id: small, set: {v: small}}]
        output: ${steps.size.output.v}
        """;
    assertThat(run(text, Map.of("id", "a", "total", 500))).isEqualTo("big");
    assertThat(run(text, Map.of("id", "b", "total", 50))).isEqualTo("middle");
    assertThat(run(text, Map.of("id", "c", "total", 5))).isEqualTo("small");
    assertThat(branchOf(text, 50)).isEqualTo("${input.total > 10}");
    assertThat(branchOf(text, 5)).isEqualTo("otherwise");
  }

  private @Nullable String branchOf(String text, int total) {
    LoadedFlow flow = load(text);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      var run = test.start(flow.flow(), Map.of("id", "a", "total", total));
      return test.history(run).stream()
          .filter(entry -> entry.type().equals("branch"))
          .findFirst()
          .orElseThrow()
          .branch();
    }
  }

  @Test
  void branches_run_beside_each_other_and_their_steps_are_known_after() {
    Object output =
        run(
            """
            flow: branches
            key: ${input.id}
            steps:
              - id: both
                parallel:
                  branches:
                    left:
                      - {id: one, set: {v: "${input.id}-1"}}
                      - {id: two, set: {v: "${steps.one.output.v}-2"}}
                    right: [{id: three, call: {handler: ship, input: "${input.id}", pure: true}}]
            output: ["${steps.both.output.left.v}", "${steps.three.output.parcel}", "${steps.one.output.v}"]
            """,
            Map.of("id", "A"));

    assertThat(output).isEqualTo(List.of("A-1-2", "p-A", "A-1"));
  }

  @Test
  void one_bad_item_does_not_stop_the_others_and_a_retry_touches_only_what_failed() {
    LoadedFlow flow =
        load(
            """
            flow: items
            key: ${input.id}
            steps:
              - id: each
                forEach: {items: "${input.items}", atOnce: 2}
                itemKey: ${item.sku}
                call: {handler: fragile, input: "${item.sku}"}
                effect: {kind: create, key: "${input.id}/${item.sku}", guard: keyed}
            output: ${steps.each.output}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      Map<String, Object> input =
          Map.of(
              "id",
              "A",
              "items",
              List.of(Map.of("sku", "x"), Map.of("sku", "bad"), Map.of("sku", "y")));
      RunHandle<Object> run = test.start(flow.flow(), input);

      assertThatThrownBy(run::await).isInstanceOf(RunFailed.class).hasMessageContaining("bad");
      assertThat(calls).containsExactlyInAnyOrder("fragile x", "fragile bad", "fragile y");
      assertThat(test.hapax().run(run.id()).status().word()).isEqualTo("partial");

      calls.clear();
      test.hapax().retry(run.id(), "ann");
      test.move(Duration.ofSeconds(1));
      assertThat(calls).containsExactly("fragile bad");
    }
  }

  @Test
  void a_failing_step_may_be_passed_over() {
    Object output =
        run(
            """
            flow: goes-on
            key: ${input.id}
            steps:
              - id: try
                call: {handler: fragile, input: bad}
                effect: {kind: create, key: "${input.id}", guard: keyed}
                onError: continue
            output: {code: "${steps.try.error.code}", output: "${steps.try.output}"}
            """,
            Map.of("id", "A"));

    assertThat(output).isEqualTo(mapOf("code", "broken", "output", null));
  }

  private static Map<String, @Nullable Object> mapOf(
      String a, @Nullable Object one, String b, @Nullable Object other) {
    var map = new java.util.LinkedHashMap<String, @Nullable Object>();
    map.put(a, one);
    map.put(b, other);
    return map;
  }

  @Test
  void a_flow_may_fail_by_itself() {
    assertThatThrownBy(
            () ->
                run(
                    """
                    flow: fails
                    key: ${input.id}
                    steps:
                      - id: refuse
                        fail: {code: too-large, message: "${input.id} is too large"}
                    """,
                    Map.of("id", "A")))
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("too-large")
        .hasMessageContaining("A is too large");
  }

  @Test
  void what_a_failed_run_did_is_undone_with_its_own_result() {
    LoadedFlow flow =
        load(
            """
            flow: undoes
            key: ${input.id}
            onFailure: compensate
            steps:
              - id: ship
                call: {handler: ship, input: "${input.id}"}
                effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.parcel}"}
                compensate:
                  call: {handler: cancel, input: "${steps.ship.externalId}"}
                  effect: {kind: create, key: "${input.id}", guard: keyed}
              - id: refuse
                fail: {code: no, message: no}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));

      assertThat(calls).containsExactly("ship A", "cancel p-A");
      assertThat(test.hapax().run(run.id()).status().word()).isEqualTo("compensated");
    }
  }
}
