package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.testkit.FlowTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps of a flow file that are repeated. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RepeatedStepsTest extends LoadedFlowTest {
  private static final String COUNT =
      """
      flow: count
      key: ${input.id}
      steps:
        - id: begin
          set: {n: 10}
        - id: rounds
          repeat:
            CONDITION
            maxRounds: 4
            steps:
              - id: read
                set: {before: "${steps.sum.output == null ? steps.begin.output.n : steps.sum.output.n}"}
              - id: pause
                wait: {for: 1h}
              - id: sum
                set: {n: "${steps.read.output.before + repeat.index}"}
        - id: after
          set: {n: "${steps.sum.output == null ? -1 : steps.sum.output.n}"}
      output: ["${steps.rounds.output}", "${steps.after.output.n}"]
      """;

  private Object end(String condition) {
    LoadedFlow flow = load(COUNT.replace("CONDITION", condition));
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      for (int i = 0; i < 6; i++) {
        test.crash();
        test.move(Duration.ofMinutes(61));
      }
      return String.valueOf(test.hapax().run(run.id()).output());
    }
  }

  @Test
  void the_results_of_a_round_are_seen_by_the_next_and_those_of_the_last_behind_it() {
    assertThat(end("until: \"${steps.sum.output.n >= 13}\"")).isEqualTo("[{\"n\":13},13]");
    assertThat(end("while: \"${repeat.index < 2}\"")).isEqualTo("[{\"n\":11},11]");
  }

  @Test
  void a_condition_that_does_not_hold_at_first_leaves_all_rounds_out() {
    assertThat(end("while: \"${steps.begin.output.n < 10}\"")).isEqualTo("[null,-1]");
  }

  @Test
  void more_rounds_than_allowed_fail_with_a_code_and_a_failed_round_can_be_passed_over() {
    String text =
        """
        flow: endless
        key: ${input.id}
        steps:
          - id: rounds
            onError: %s
            repeat:
              until: ${repeat.index > 100}
              maxRounds: 3
              steps:
                - id: ship
                  call: {handler: ship, input: "${repeat.index}"}
                  effect: {kind: create, key: "${input.id}/${repeat.index}", guard: keyed}
        output: "${steps.rounds.error == null ? 'none' : steps.rounds.error.code}"
        """;
    assertThatThrownBy(() -> run(text.formatted("fail"), Map.of("id", "A")))
        .isInstanceOfSatisfying(
            RunFailed.class, e -> assertThat(e.code()).isEqualTo("too-many-rounds"));
    assertThat(calls).containsExactly("ship 0", "ship 1", "ship 2");
    assertThat(run(text.formatted("continue"), Map.of("id", "B"))).isEqualTo("too-many-rounds");
  }

  @Test
  void the_index_outside_of_rounds_and_a_return_inside_them_are_refused() {
    assertThat(
            Check.check(
                    "f.yaml",
                    """
                    flow: f
                    key: ${input.id}
                    steps:
                      - id: rounds
                        when: ${repeat.index == 0}
                        repeat:
                          while: ${repeat.index < 3 && steps.one.output.v < 7}
                          steps:
                            - id: one
                              set: {v: "${steps.two.output.v}"}
                            - id: two
                              set: {v: "${repeat.index}"}
                            - id: out
                              when: ${steps.two.output.v == 2}
                              return: {}
                      - id: late
                        set: {v: "${repeat.index}"}
                    output: ["${steps.late.output.v}", "${steps.two.output.v}"]
                    """)
                .findings())
        .extracting(Finding::rule)
        .isEqualTo(List.of("index-outside-repeat", "return-inside", "index-outside-repeat"));
  }

  @Test
  void a_loop_of_effects_inside_a_round_has_the_result_of_a_loop() {
    assertThat(
            run(
                """
                flow: loops
                key: ${input.id}
                steps:
                  - id: rounds
                    repeat:
                      until: ${repeat.index == 1}
                      steps:
                        - id: ship
                          forEach: ${input.items}
                          itemKey: ${item}
                          call: {handler: ship, input: "${item + string(repeat.index)}"}
                          effect:
                            kind: create
                            key: ${input.id}/${item}/${repeat.index}
                            guard: keyed
                            externalId: ${output.parcel}
                output: "${steps.ship.output.succeeded}"
                """,
                Map.of("id", "A", "items", List.of("a", "b"))))
        .isEqualTo(2);
    assertThat(calls).containsExactlyInAnyOrder("ship a0", "ship b0", "ship a1", "ship b1");
  }

  @Test
  void a_round_sees_the_result_of_a_branch_that_only_the_round_before_has_taken() {
    assertThat(
            run(
                """
                flow: branches
                key: ${input.id}
                steps:
                  - id: rounds
                    repeat:
                      until: ${repeat.index == 1}
                      steps:
                        - id: route
                          choose:
                            - when: ${repeat.index == 0}
                              steps:
                                - id: once
                                  set: {v: 7}
                            - otherwise:
                                - id: again
                                  set: {v: 0}
                        - id: seen
                          set: {v: "${steps.once.output == null ? -1 : steps.once.output.v}"}
                output: "${steps.seen.output.v}"
                """,
                Map.of("id", "A")))
        .isEqualTo(7);
  }

  @Test
  void a_round_that_reads_a_step_by_a_computed_name_sees_each_step_of_the_round_before() {
    assertThat(
            run(
                """
                flow: computed
                key: ${input.id}
                steps:
                  - id: rounds
                    repeat:
                      until: ${repeat.index == 1}
                      steps:
                        - id: early
                          set: {v: "${steps[input.name].output == null ? -1 : steps[input.name].output.v}"}
                        - id: late
                          set: {v: 5}
                        - id: end
                          set: {v: "${steps.early.output.v}"}
                output: "${steps.end.output.v}"
                """,
                Map.of("id", "A", "name", "late")))
        .isEqualTo(5);
  }

  @Test
  void inner_rounds_begin_anew_in_each_outer_round() {
    assertThat(
            run(
                """
                flow: anew
                key: ${input.id}
                steps:
                  - id: outer
                    repeat:
                      until: ${repeat.index == 1}
                      steps:
                        - id: turn
                          set: {n: "${repeat.index}"}
                        - id: poll
                          repeat:
                            while: ${steps.state.output == null || steps.state.output.n < 2}
                            steps:
                              - id: state
                                set: {n: "${repeat.index}", turn: "${steps.turn.output.n}"}
                output: ["${steps.state.output.n}", "${steps.state.output.turn}"]
                """,
                Map.of("id", "A")))
        .hasToString("[2, 1]");
  }

  @Test
  void a_rework_inside_rounds_goes_back_to_an_earlier_step_of_its_list() {
    String text =
        """
        flow: f
        key: ${input.id}
        steps:
          - id: rounds
            repeat:
              until: ${steps.ask.output.approved}
              steps:
                - id: first
                  set: {v: "${repeat.index}"}
                - id: ask
                  approval: {ask: "Is ${steps.first.output.v} right?", expires: 1d, rework: %s}
                - id: later
                  set: {v: "${steps.first.output.v}"}
        output: "${steps.later.output.v}"
        """;
    assertThat(rulesBroken(text.formatted("first"))).doesNotContain("unknown-step");
    assertThat(rulesBroken(text.formatted("ask"))).contains("unknown-step");
    assertThat(rulesBroken(text.formatted("later"))).contains("unknown-step");
  }

  private static List<String> rulesBroken(String text) {
    return Check.check("f.yaml", text).findings().stream().map(Finding::rule).toList();
  }
}
