package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.NotApplied;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a flow file says, the engine does; each kind of step that needs no outside system. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterpreterTest extends LoadedFlowTest {
  @Test
  void a_release_that_drains_waits_for_the_one_before() {
    String text =
        """
        flow: drained
        key: ${input.id}
        onNewRelease: drain
        steps:
          - id: begin
            kv: {put: {key: "${input.id}", value: begun}}
          - id: pause
            wait: {for: 1h}
        """;
    try (FlowFiles files = FlowFiles.with(Ports.system()).open();
        FlowTest test = FlowTest.of()) {
      LoadedFlow first = files.load("drained.yaml", text, 1);
      LoadedFlow second = files.load("drained.yaml", text, 2);
      files.register(test.hapax(), first);
      files.register(test.hapax(), second);
      test.start(first.flow(), Map.of("id", "old"));
      RunHandle<Object> next = test.start(second.flow(), Map.of("id", "new"));
      assertThat(test.history(next)).noneMatch(entry -> "begin".equals(entry.step()));

      test.move(Duration.ofMinutes(60));
      test.move(Duration.ofMinutes(1)); // it looks again every half minute

      assertThat(test.history(next)).anyMatch(entry -> "begin".equals(entry.step()));
    }
  }

  @Test
  void values_are_computed_and_given_back() {
    Object output =
        run(
            """
            flow: sums
            key: ${input.id}
            steps:
              - id: sum
                set: {total: "${input.a + input.b}", label: "order ${input.id}"}
            output: {total: "${steps.sum.output.total}", label: "${steps.sum.output.label}"}
            """,
            Map.of("id", "A-1", "a", 1, "b", 2));

    assertThat(output).isEqualTo(Map.of("total", 3, "label", "order A-1"));
  }

  @Test
  void waits_end_by_time_callback_and_approval() {
    LoadedFlow flow =
        load(
            """
            flow: waits
            key: ${input.id}
            steps:
              - id: pause
                wait: {for: 10m}
              - id: ask
                call: {handler: ship, input: "${callback('paid').token}"}
                effect: {kind: create, key: "${input.id}", guard: keyed}
              - id: paid
                wait: {callback: {expires: 3d}}
              - id: release
                approval: {ask: "Send ${steps.paid.output.ref}?", roles: [finance], expires: 3d}
            output: ["${steps.paid.output.ref}", "${steps.release.output.decision}", "${steps.release.output.by}"]
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      test.move(Duration.ofMinutes(10));
      String token = calls.getFirst().substring("ship ".length());
      test.hapax().callbacks().answer(token, Map.of("ref", "r-7"));
      test.move(Duration.ofSeconds(1));
      var open = test.hapax().approvals().list(test.hapax().approvals().open().role("finance"));
      assertThat(open).singleElement().matches(item -> item.toString().contains("Send r-7?"));
      test.hapax()
          .approvals()
          .decide(open.getFirst().id(), Verdict.approve("ann").roles("finance"));
      test.move(Duration.ofSeconds(1));

      assertThat(run.await()).isEqualTo(List.of("r-7", "approve", "ann"));
    }
  }

  @Test
  void rework_goes_back_with_a_comment_and_values() {
    LoadedFlow flow =
        load(
            """
            flow: reworks
            key: ${input.id}
            steps:
              - id: draft
                call: {handler: ship, input: "${rework == null ? 'first' : rework.values.text}"}
                effect: {kind: update, key: "${input.id}", guard: upsert}
              - id: release
                approval: {ask: "Publish ${steps.draft.output.parcel}?", expires: 3d, rework: draft, maxRounds: 3}
            output: ${steps.draft.output.parcel}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      var approvals = test.hapax().approvals();
      approvals.decide(
          approvals.list(approvals.open()).getFirst().id(),
          Verdict.rework("ann", "friendlier").values(Map.of("text", "second")));
      test.move(Duration.ofSeconds(1));
      approvals = test.hapax().approvals();
      approvals.decide(approvals.list(approvals.open()).getFirst().id(), Verdict.approve("ann"));
      test.move(Duration.ofSeconds(1));

      assertThat(run.await()).isEqualTo("p-second");
      assertThat(calls).containsExactly("ship first", "ship second");
    }
  }

  @Test
  void the_durable_map_and_resources_are_at_hand() {
    Object output =
        run(
            """
            flow: keeps
            key: ${input.id}
            steps:
              - id: first
                kv: {putIfAbsent: {key: "last/${input.id}", value: {n: 1}}}
              - id: swap
                kv: {compareAndSet: {key: "last/${input.id}", version: "${steps.first.output.version}", value: {n: 2}}}
              - id: read
                kv: {get: {key: "last/${input.id}"}}
              - id: store
                resource: {put: {value: {big: "${input.id}"}}}
              - id: load
                resource: {get: {ref: "${steps.store.output.ref}"}}
              - id: drop
                kv: {delete: {key: "last/${input.id}"}}
            output: ["${steps.swap.output.written}", "${steps.read.output.value.n}", "${steps.load.output.big}", "${steps.store.output.ref.startsWith('res://')}"]
            """,
            Map.of("id", "A"));

    assertThat(output).isEqualTo(List.of(true, 2, "A", true));
  }

  @Test
  void a_status_moves_by_its_values_and_a_counter_is_added_to() {
    Object output =
        run(
            """
            flow: moves
            key: ${input.id}
            steps:
              - id: open
                kv: {transition: {key: "status/${input.id}", from: null, to: open}}
              - id: pay
                kv: {transition: {key: "status/${input.id}", from: [open, held], to: paid}}
              - id: again
                kv: {transition: {key: "status/${input.id}", from: [open, held], to: paid}}
              - id: one
                kv: {add: {key: total}}
              - id: more
                kv: {add: {key: total, by: "${input.n}"}}
            output: ["${steps.open.output.written}", "${steps.pay.output.value}", "${steps.again.output.written}", "${steps.again.output.value}", "${steps.more.output.value}"]
            """,
            Map.of("id", "A", "n", 2.5));

    assertThat(output).hasToString("[true, paid, false, paid, 3.5]");
  }

  @Test
  void a_child_run_is_called_and_its_output_is_known() {
    LoadedFlow child =
        load(
            """
            flow: child
            key: ${input.n}
            steps: [{id: twice, set: {v: "${input.n * 2}"}}]
            output: {v: "${steps.twice.output.v}"}
            """);
    LoadedFlow parent =
        load(
            """
            flow: parent
            key: ${input.id}
            steps: [{id: call, flow: {name: child, input: {n: 21}}}]
            output: ${steps.call.output.v}
            """);
    try (FlowTest test = FlowTest.of(child.flow(), parent.flow())) {
      assertThat(test.run(parent.flow(), Map.of("id", "A"))).isEqualTo(42);
    }
  }

  @Test
  void retries_follow_the_file() {
    var attempts = new AtomicInteger();
    FlowFiles retrying =
        FlowFiles.with(Ports.system())
            .handler(
                "busy",
                (_, _) -> {
                  if (attempts.incrementAndGet() < 3) {
                    throw new NotApplied("busy");
                  }
                  return "done";
                })
            .open();
    LoadedFlow flow =
        retrying.load(
            "retry.yaml",
            """
            flow: retries
            key: ${input.id}
            steps:
              - id: call
                call: {handler: busy}
                effect: {kind: create, key: "${input.id}", guard: keyed}
                retry: {attempts: 3, delay: 1m, factor: 1, jitter: 0}
            output: ${steps.call.output}
            """,
            1);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      test.move(Duration.ofMinutes(1));
      assertThat(attempts).hasValue(2);
      test.move(Duration.ofMinutes(1));
      assertThat(run.await()).isEqualTo("done");
    }
  }

  @Test
  void a_lock_is_held_over_the_step() {
    Object output =
        run(
            """
            flow: locks
            key: ${input.id}
            steps:
              - id: ship
                lock: carrier/${input.id}
                call: {handler: ship, input: "${input.id}"}
                effect: {kind: create, key: "${input.id}", guard: keyed}
            output: ${steps.ship.output.parcel}
            """,
            Map.of("id", "A"));

    assertThat(output).isEqualTo("p-A");
  }

  @Test
  void an_expression_that_fails_says_where_and_what_it_saw() {
    assertThatThrownBy(
            () ->
                run(
                    """
                    flow: bad-expression
                    key: ${input.id}
                    steps:
                      - id: ship
                        call: {handler: ship, input: "${input.order.id}"}
                        effect: {kind: create, key: "${input.id}", guard: keyed}
                    """,
                    Map.of("id", "A")))
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("test.yaml:5:37")
        .hasMessageContaining("'input' has no field 'order'")
        .hasMessageContaining("{\"id\":\"A\"}");
    assertThat(calls).isEmpty();
  }

  @Test
  void a_run_goes_on_where_it_was_after_a_crash() {
    LoadedFlow flow =
        load(
            """
            flow: crashes
            key: ${input.id}
            steps:
              - id: first
                call: {handler: ship, input: first}
                effect: {kind: create, key: "1/${input.id}", guard: keyed}
              - id: stamp
                set: {at: "${now()}", id: "${uuid()}"}
              - id: pause
                wait: {for: 1h}
              - id: second
                call: {handler: ship, input: "${steps.first.output.parcel}"}
                effect: {kind: create, key: "2/${input.id}", guard: keyed}
            output: ${steps.second.output.parcel}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      test.crash();
      test.move(Duration.ofHours(1));

      assertThat(test.hapax().handle(run.id(), Object.class).await()).isEqualTo("p-p-first");
      assertThat(calls).containsExactly("ship first", "ship p-first");
    }
  }

  @Test
  void an_input_that_does_not_fit_starts_nothing() {
    LoadedFlow flow =
        load(
            """
            flow: strict
            input: {type: object, required: [id], properties: {id: {type: string}, n: {type: integer}}}
            key: ${input.id}
            steps: [{id: pause, wait: {for: 1s}}]
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      assertThatThrownBy(() -> flow.start(test.hapax(), Map.of("id", "A", "n", "x")))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("/n");
      assertThat(flow.start(test.hapax(), Map.of("id", "A", "n", 1)).id()).startsWith("r-");
    }
  }

  @Test
  void an_answer_that_does_not_fit_its_schema_decides_nothing() {
    LoadedFlow flow =
        load(
            """
            flow: paying
            key: ${input.id}
            steps:
              - id: hand
                call: {handler: ship, input: "${callback('paid').token}"}
                effect: {kind: create, key: "${input.id}", guard: keyed}
              - id: paid
                wait: {callback: {expires: 3d, schema: {type: object, required: [ref]}}}
            output: ${steps.paid.output.ref}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      String token = calls.getFirst().substring("ship ".length());

      assertThatThrownBy(() -> flow.answer(test.hapax(), token, Map.of("reference", "r-7")))
          .isInstanceOf(InvalidAnswer.class)
          .hasMessageContaining("'paid'")
          .hasMessageContaining("ref");
      assertThat(test.hapax().run(run.id()).status().word()).isEqualTo("waiting");

      assertThat(flow.answer(test.hapax(), token, Map.of("ref", "r-7")).isFirst()).isTrue();
      assertThat(run.await()).isEqualTo("r-7");
      assertThat(flow.answer(test.hapax(), token, "anything").isFirst()).isFalse();
    }
  }
}
