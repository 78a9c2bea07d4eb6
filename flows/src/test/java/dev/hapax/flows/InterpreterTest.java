package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.history.HistoryEntry;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a flow file says, the engine does; each kind of step that needs no outside system. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterpreterTest {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final FlowFiles files =
      FlowFiles.with(Ports.system())
          .handler(
              "ship",
              (input, key) -> {
                calls.add("ship " + input);
                return Map.of("parcel", "p-" + input);
              })
          .handler(
              "fragile",
              (input, key) -> {
                calls.add("fragile " + input);
                if ("bad".equals(input)) {
                  throw new Rejected("broken", "it broke");
                }
                return input;
              })
          .handler(
              "cancel",
              (input, key) -> {
                calls.add("cancel " + input);
                return null;
              })
          .open();

  private LoadedFlow load(String text) {
    return files.load("test.yaml", text, 1);
  }

  private Object run(String text, Object input) {
    LoadedFlow flow = load(text);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      return test.run(flow.flow(), input);
    }
  }

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
