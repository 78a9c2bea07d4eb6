package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepDifference;
import dev.hapax.testkit.FlowTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a plan says about the steps of a flow file, and that the replay then does exactly that. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlannedReplayTest extends LoadedFlowTest {
  private static final String GOOD = "{\"id\":\"A\",\"kind\":\"good\"}";

  /** A run that has failed because its input was bad, and its flow. */
  private static RunHandle<Object> failed(FlowTest test, LoadedFlow flow) {
    RunHandle<Object> run = flow.start(test.hapax(), Map.of("id", "A", "kind", "bad"));
    end(test, run);
    assertThat(test.hapax().run(run.id()).status()).isEqualTo(RunStatus.FAILED);
    return run;
  }

  private static Run end(FlowTest test, RunHandle<?> run) {
    try {
      var _ = test.hapax().handle(run.id(), Object.class).await();
    } catch (RunFailed e) {
      assertThat(e.runId()).isEqualTo(run.id());
    }
    return test.hapax().run(run.id());
  }

  private static ReplayPlan plan(FlowTest test, RunHandle<?> run, ReplayWish wish) {
    return test.hapax().replays().plan(run.id(), wish);
  }

  private static Run apply(FlowTest test, RunHandle<?> run, ReplayPlan plan) {
    test.hapax().replays().apply(plan, "ada", "a test");
    return end(test, run);
  }

  private static List<String> said(ReplayPlan plan) {
    return plan.items().stream()
        .map(
            item ->
                "%s %s %s %s"
                    .formatted(
                        item.step(),
                        item.decision().word(),
                        item.request() == null ? "unknown" : "known",
                        Objects.requireNonNullElse(item.dependsOn(), List.of())))
        .toList();
  }

  @Test
  void a_request_that_holds_the_time_is_not_shown_and_is_sent_with_the_time_of_its_send() {
    LoadedFlow flow =
        load(
            """
            flow: momentary
            key: ${input.id}
            steps:
              - id: first
                call: {handler: fragile, input: "${input.kind}"}
                effect: {kind: create, key: "${input.id}/first", guard: keyed}
              - id: time
                set: {at: "${string(now())}"}
              - id: stamped
                call: {handler: ship, input: "${string(now())}"}
                effect: {kind: create, key: "${input.id}/stamped", guard: keyed}
              - id: dated
                call: {handler: ship, input: "${steps.time.output.at}"}
                effect: {kind: create, key: "${input.id}/dated", guard: keyed}
              - id: last
                call: {handler: ship, input: "${input.id}"}
                effect: {kind: create, key: "${input.id}/last", guard: keyed}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = failed(test, flow);

      ReplayPlan plan = plan(test, run, ReplayWish.ALL.withInput(GOOD));
      test.move(Duration.ofMinutes(7));
      Run ended = apply(test, run, plan);

      assertThat(said(plan))
          .containsExactly(
              "first send known []",
              "stamped send unknown []",
              "dated send unknown [time]",
              "last send known []");
      assertThat(plan.items().get(1).note()).contains("a value of the moment");
      assertThat(ended.status()).as("%s", ended.error()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(calls).hasSize(5).startsWith("fragile bad", "fragile good").endsWith("ship A");
    }
  }

  private final LoadedFlow other =
      load(
          """
          flow: other
          key: ${input.id}
          steps:
            - id: pack
              call: {handler: ship, input: "packed ${input.id}"}
              effect: {kind: create, key: "packed/${input.id}", guard: keyed}
          output: {parcel: "${steps.pack.output.parcel}"}
          """);

  @Test
  void messages_and_child_runs_are_in_the_plan_also_if_they_depend_on_answers() {
    LoadedFlow flow =
        load(
            """
            flow: sends
            key: ${input.id}
            steps:
              - id: first
                call: {handler: fragile, input: "${input.kind}"}
                effect: {kind: create, key: "${input.id}/first", guard: keyed}
              - id: told
                publish: {url: "http://127.0.0.1:1/hook", type: told, data: {id: "${input.id}"}}
              - id: packed
                flow: {name: other, input: {id: "${input.id}"}}
              - id: shown
                publish: {url: "http://127.0.0.1:1/hook", type: shown, data: "${steps.packed.output.parcel}"}
              - id: begun
                flow: {name: other, input: {id: "${steps.packed.output.parcel}"}, detach: true}
            """);
    try (FlowTest test = FlowTest.of(other.flow(), flow.flow())) {
      RunHandle<Object> run = failed(test, flow);

      ReplayPlan plan = plan(test, run, ReplayWish.ALL.withInput(GOOD));
      Run ended = apply(test, run, plan);
      test.move(Duration.ZERO); // 'begun' outlives its parent

      assertThat(said(plan))
          .containsExactly(
              "first send known []",
              "told send known []",
              "packed send known []",
              "shown send unknown [packed]",
              "begun send unknown [packed]");
      assertThat(plan.items())
          .extracting(item -> item.type().word())
          .containsExactly("effect", "message", "run", "message", "run");
      assertThat(ended.status()).as("%s", ended.error()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(calls)
          .containsExactlyInAnyOrder(
              "fragile bad", "fragile good", "ship packed A", "ship packed p-packed A");
    }
  }

  private static final String ROUNDS =
      """
      flow: rounds
      key: ${input.id}
      steps:
        - id: first
          call: {handler: fragile, input: "${input.kind}"}
          effect: {kind: create, key: "${input.id}/first", guard: keyed}
        - id: all
          repeat:
            until: "CONDITION"
            maxRounds: 5
            steps:
              - id: part
                call: {handler: ship, input: "${repeat.index}"}
                effect: {kind: create, key: "${input.id}/${repeat.index}", guard: keyed}
              - id: label
                call: {handler: ship, input: "${steps.part.output.parcel}"}
                effect: {kind: create, key: "${input.id}/label/${repeat.index}", guard: keyed}
        - id: last
          call: {handler: ship, input: "${steps.part.output.parcel}"}
          effect: {kind: create, key: "${input.id}/last", guard: keyed}
      """;

  @Test
  void the_sends_of_the_first_open_round_are_planned_and_those_of_later_rounds_may_be_sent() {
    LoadedFlow flow = load(ROUNDS.replace("CONDITION", "${steps.label.output.parcel == 'p-p-1'}"));
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = failed(test, flow);

      ReplayPlan plan = plan(test, run, ReplayWish.ALL.withInput(GOOD));
      Run ended = apply(test, run, plan);

      assertThat(said(plan))
          .containsExactly(
              "first send known []",
              "part send known []",
              "label send unknown [part]",
              "part send unknown [label, part]",
              "label send unknown [label, part]",
              "last send unknown [part]");
      assertThat(ended.status()).as("%s", ended.error()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(calls)
          .containsExactly(
              "fragile bad",
              "fragile good",
              "ship 0",
              "ship p-0",
              "ship 1",
              "ship p-1",
              "ship p-1");
    }
  }

  @Test
  void a_replay_from_a_step_of_the_last_round_plans_that_round_and_no_other() {
    LoadedFlow flow =
        load(
            ROUNDS
                .replace("CONDITION", "${repeat.index == 1}")
                .replace("ship, input: \"${steps.part", "fragile, input: \"${steps.part"));
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = flow.start(test.hapax(), Map.of("id", "A", "kind", "good"));
      end(test, run);

      ReplayPlan plan = plan(test, run, ReplayWish.from("label"));
      Run ended = apply(test, run, plan);

      assertThat(plan.items())
          .extracting(item -> item.step() + " " + item.item() + " " + item.decision().word())
          .containsExactlyInAnyOrder(
              "first null keep",
              "part 0 keep",
              "label 0 keep",
              "part 1 keep",
              "label 1 reuse",
              "last null reuse");
      assertThat(plan.ends()).isNull();
      assertThat(ended.status()).as("%s", ended.error()).isEqualTo(RunStatus.SUCCEEDED);
    }
  }

  @Test
  void a_choice_by_the_time_has_all_its_branches_in_the_plan() {
    LoadedFlow flow =
        load(
            """
            flow: choice
            key: ${input.id}
            steps:
              - id: first
                call: {handler: fragile, input: "${input.kind}"}
                effect: {kind: create, key: "${input.id}/first", guard: keyed}
              - id: which
                choose:
                  - when: ${now() > timestamp('2020-01-01T00:00:00Z')}
                    steps:
                      - id: late
                        call: {handler: ship, input: late}
                        effect: {kind: create, key: "${input.id}/late", guard: keyed}
                  - otherwise:
                      - id: early
                        call: {handler: ship, input: early}
                        effect: {kind: create, key: "${input.id}/early", guard: keyed}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = failed(test, flow);

      ReplayPlan plan = plan(test, run, ReplayWish.ALL.withInput(GOOD));
      Run ended = apply(test, run, plan);

      assertThat(said(plan))
          .containsExactly(
              "first send known []", "late send unknown [which]", "early send unknown [which]");
      assertThat(ended.status()).as("%s", ended.error()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(calls).containsExactly("fragile bad", "fragile good", "ship late");
    }
  }

  @Test
  void the_plan_on_another_release_names_the_steps_that_differ() {
    String first =
        """
        flow: changing
        key: ${input.id}
        steps:
          - id: same
            set: {v: 1}
          - id: gone
            set: {v: 1}
          - id: block
            choose:
              - when: ${input.kind == 'bad'}
                steps:
                  - id: inner
                    call: {handler: fragile, input: "${input.kind}"}
                    effect: {kind: create, key: "${input.id}", guard: keyed}
              - otherwise:
                  - id: other
                    set: {v: 1}
        """;
    LoadedFlow one = files.load("test.yaml", first, 1);
    LoadedFlow two =
        files.load(
            "test.yaml",
            first
                .replace("- id: gone\n    set: {v: 1}", "- id: new\n    set: {v: 1}")
                .replace("- id: same", "# the same definition\n  - id: same")
                .replace("input: \"${input.kind}\"", "input: good"),
            2);
    try (FlowTest test = FlowTest.of(one.flow(), two.flow())) {
      RunHandle<Object> run = one.start(test.hapax(), Map.of("id", "A", "kind", "bad"));
      assertThat(end(test, run).status()).isEqualTo(RunStatus.FAILED);

      ReplayPlan plan = plan(test, run, ReplayWish.ALL.onRelease(2));

      assertThat(plan.differences())
          .containsExactly(
              new StepDifference("new", StepDifference.Change.ADDED),
              new StepDifference("inner", StepDifference.Change.CHANGED),
              new StepDifference("gone", StepDifference.Change.REMOVED));
      assertThat(plan(test, run, ReplayWish.ALL).differences()).isNull();
    }
  }
}
