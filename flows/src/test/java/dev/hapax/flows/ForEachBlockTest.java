package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.json.Json;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops over a block of steps, and the results of their items. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForEachBlockTest {
  private final List<String> sent = Collections.synchronizedList(new ArrayList<>());
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final Set<String> lost = ConcurrentHashMap.newKeySet();
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicInteger mostWorking = new AtomicInteger();
  private volatile @Nullable CountDownLatch together;
  private final ManualTime moment = new ManualTime();
  private final FlowFiles files =
      FlowFiles.with(moment.ports()).handler("send", (input, _) -> send(input)).open();

  private Object send(@Nullable Object input) throws Exception {
    mostWorking.accumulateAndGet(working.incrementAndGet(), Math::max);
    try {
      CountDownLatch all = together;
      if (all != null) {
        all.countDown();
        if (!all.await(30, TimeUnit.SECONDS)) {
          throw new NotApplied("the others did not come");
        }
      }
      String text = String.valueOf(input);
      if (refused.contains(text)) {
        throw new Rejected("refused", "not this one");
      }
      sent.add(text);
      if (lost.contains(text)) {
        throw new IOException("reset");
      }
      return Map.of("parcel", "p-" + text);
    } finally {
      working.decrementAndGet();
    }
  }

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

  private static Object output(Run run) {
    return Json.read(Objects.requireNonNull(run.output()), Object.class);
  }

  private static final String SHIP =
      """
      flow: ship
      key: ${input.id}
      steps:
        - id: each
          forEach:
            items: ${input.items}
            atOnce: 2
            steps:
              - id: label
                set: {text: "${input.id}-${item}"}
              - id: pause
                wait: {for: 1h}
              - id: ship
                call: {handler: send, input: "${steps.label.output.text}"}
                effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
              - id: done
                set: {parcel: "${steps.ship.output.parcel}"}
          itemKey: ${item}
      output:
        items: ${steps.each.items}
        counts: ${steps.each.output}
        good: ${steps.each.items.filter(i, i.status == 'succeeded').map(i, i.output.parcel)}
      """;

  @Test
  void steps_of_an_item_see_each_other_and_its_result_is_read_behind_the_loop() {
    LoadedFlow flow = load(SHIP);
    refused.add("A-b");
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b", "c"));
      Run ended = after(test, run, Duration.ofHours(2));

      assertThat(ended.status()).isEqualTo(RunStatus.PARTIAL);
      assertThat(output(ended))
          .isEqualTo(
              Json.read(
                  """
                  {"items": [
                    {"key": "a", "status": "succeeded", "output": {"parcel": "p-A-a"}, "error": null},
                    {"key": "b", "status": "failed", "output": null,
                     "error": {"code": "refused", "message": "not this one"}},
                    {"key": "c", "status": "succeeded", "output": {"parcel": "p-A-c"}, "error": null}],
                   "counts": {"succeeded": 2, "failed": 1, "failures": [
                     {"item": "b", "code": "refused", "message": "not this one"}]},
                   "good": ["p-A-a", "p-A-c"]}
                  """,
                  Object.class));
    }
  }

  @Test
  void a_retry_repeats_only_the_item_that_failed_and_gives_all_results() {
    LoadedFlow flow = load(SHIP);
    refused.add("A-b");
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b", "c"));
      test.move(Duration.ofHours(2));
      refused.clear();
      test.hapax().retry(run.id(), "ann");
      Run ended = after(test, run, Duration.ofHours(2));

      assertThat(ended.status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(output(ended))
          .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
          .containsEntry("good", List.of("p-A-a", "p-A-b", "p-A-c"));
      assertThat(sent).containsExactlyInAnyOrder("A-a", "A-b", "A-c");
    }
  }

  @Test
  void the_one_step_form_has_the_results_of_its_items_too() {
    LoadedFlow flow =
        load(
            """
            flow: one
            key: ${input.id}
            steps:
              - id: each
                when: ${item != 'b'}
                forEach: ${input.items}
                itemKey: ${item}
                call: {handler: send, input: "${item}"}
                effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
            output: "${steps.each.items.map(i, i.key + (i.output == null ? '' : i.output.parcel))}"
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      assertThat(test.run(flow.flow(), items("a", "b"))).isEqualTo(List.of("ap-a", "b"));
    }
  }

  @Test
  void a_loop_that_did_not_run_has_no_items() {
    LoadedFlow flow =
        load(
            """
            flow: none
            key: ${input.id}
            steps:
              - id: each
                when: ${input.items.size() > 100}
                forEach: {items: "${input.items}", steps: [{id: one, set: {v: "${item}"}}]}
                itemKey: ${item}
            output: {count: "${steps.each.items.size()}", whole: "${steps.each.output}"}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      Object output = test.run(flow.flow(), items("a"));

      assertThat(Json.write(output)).isEqualTo("{\"count\":0,\"whole\":null}");
    }
  }

  @Test
  void blocks_inside_each_other_wait_ask_choose_lock_and_undo_for_each_item() {
    LoadedFlow flow =
        load(
            """
            flow: nested
            key: ${input.id}
            onFailure: compensate
            steps:
              - id: outer
                lock: outer/${input.id}
                forEach:
                  items: ${input.items}
                  steps:
                    - id: own
                      set: {name: "${item}"}
                    - id: write
                      call: {handler: send, input: "${item} ${run.round} ${lock.fence > 0}"}
                      effect: {kind: create, key: "${input.id}/${item}/${run.round}", guard: keyed}
                      compensate:
                        call: {handler: send, input: "undo ${item}"}
                        effect: {kind: create, key: "${input.id}/${item}/${run.round}", guard: keyed}
                    - id: ask
                      approval: {ask: "${item}?", rework: write, expires: 1d}
                    - id: inner
                      forEach:
                        items: "${['x', 'y']}"
                        steps:
                          - id: pause
                            wait: {for: 1h}
                          - id: way
                            choose:
                              - when: ${item == 'x'}
                                steps:
                                  - id: tell
                                    call: {handler: send, input: "${steps.own.output.name}/${item}"}
                                    effect: {kind: create, key: "${input.id}/${steps.own.output.name}/${item}", guard: keyed}
                              - otherwise:
                                  - id: both
                                    parallel: {branches: {l: [{id: left, set: {v: l}}], r: [{id: right, set: {v: r}}]}}
                      itemKey: ${item}
                    - id: seen
                      set: {statuses: "${steps.inner.items.map(i, i.key + '=' + i.status)}"}
                itemKey: ${item}
              - id: stop
                when: ${input.?stop.orValue(false)}
                fail: {code: enough}
            output: ${steps.outer.items.map(i, i.output)}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run =
          test.start(flow.flow(), Map.of("id", "A", "items", List.of("a", "b"), "stop", true));
      decide(test, "a", Verdict.rework("ann", "again"));
      decide(test, "b", Verdict.approve("ann"));
      after(test, run, Duration.ofMinutes(1));
      decide(test, "a", Verdict.approve("ann"));
      after(test, run, Duration.ofMinutes(1));
      Run ended = after(test, run, Duration.ofHours(3));

      assertThat(ended.status()).isEqualTo(RunStatus.COMPENSATED);
      assertThat(sent)
          .containsExactlyInAnyOrder(
              "a 1 true", "b 1 true", "a 2 true", "a/x", "b/x", "undo a", "undo a", "undo b");
    }
  }

  private static void decide(FlowTest test, String item, Verdict verdict) {
    var open =
        test.hapax().approvals().list(test.hapax().approvals().open()).stream()
            .filter(one -> one.ask().equals(item + "?"))
            .toList();
    test.hapax().approvals().decide(open.getFirst().id(), verdict);
    test.move(Duration.ofSeconds(1));
  }

  @Test
  void an_item_in_review_does_not_stop_the_others() {
    LoadedFlow flow =
        load(
            """
            flow: review
            key: ${input.id}
            steps:
              - id: each
                forEach:
                  items: ${input.items}
                  atOnce: 1
                  steps:
                    - id: mail
                      call: {handler: send, input: "${item}"}
                      effect: {kind: notify, key: "${input.id}/${item}", guard: none}
                    - id: after
                      set: {v: "after ${item}"}
                itemKey: ${item}
            output: ${steps.each.items.map(i, i.output.v)}
            """);
    lost.add("a");
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items("a", "b", "c"));
      Run waiting = after(test, run, Duration.ofHours(1));

      assertThat(waiting.status()).isEqualTo(RunStatus.REVIEW);
      assertThat(sent).containsExactly("a", "b", "c");
      var review =
          test.hapax().effects(test.hapax().effects().state(EffectState.REVIEW)).getFirst();
      test.hapax().settle(review.id(), Settlement.happened(Map.of(), "it is there", "ann"));
      assertThat(output(after(test, run, Duration.ofHours(1))))
          .isEqualTo(List.of("after a", "after b", "after c"));
    }
  }

  @Test
  void at_once_is_how_many_items_work_at_the_same_time() {
    LoadedFlow flow = load(AT_ONCE.formatted(3, ""));
    together = new CountDownLatch(3); // each of the first three awaits the others
    try (FlowTest test = FlowTest.of(flow.flow())) {
      test.run(flow.flow(), items(names(3)));
      together = null;
      test.run(flow.flow(), Map.of("id", "B", "items", List.of(names(30))));

      assertThat(mostWorking).hasValue(3);
      assertThat(sent).hasSize(33);
    }
  }

  /** A pause of an item would otherwise hold up all items behind it. */
  @Test
  void an_item_that_waits_makes_room_for_the_next_also_with_one_at_once() {
    LoadedFlow flow = load(AT_ONCE.formatted(1, "- {id: pause, wait: {for: 1h}}"));
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), items(names(50)));
      Run ended = after(test, run, Duration.ofMinutes(61));

      assertThat(ended.status()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent).hasSize(50);
      assertThat(mostWorking).hasValue(1);
    }
  }

  private static final String AT_ONCE =
      """
      flow: at-once
      key: ${input.id}
      steps:
        - id: each
          forEach:
            items: ${input.items}
            atOnce: %d
            steps:
              %s
              - id: send
                call: {handler: send, input: "${item}"}
                effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
          itemKey: ${item}
      """;

  private static String[] names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "i" + i).toArray(String[]::new);
  }

  @Test
  void a_block_beside_a_kind_and_its_inner_steps_from_outside_are_refused() {
    assertThat(
            findings(
                """
                flow: two
                key: ${input.id}
                steps:
                  - id: each
                    forEach: {items: "${input.items}", steps: [{id: one, set: {v: "${item}"}}]}
                    itemKey: ${item}
                    set: {v: 1}
                output: ${steps.each.items}
                """))
        .containsExactly("two-kinds a step has set and forEach with steps: expected exactly one");
    assertThat(
            findings(
                """
                flow: outside
                key: ${input.id}
                steps:
                  - id: each
                    forEach: {items: "${input.items}", steps: [{id: one, set: {v: "${item}"}}]}
                    itemKey: ${item}
                  - id: later
                    set: {v: "${steps.one.output.v}", s: "${steps.each.stale}", i: "${steps.later2.items}"}
                  - id: later2
                    set: {v: "${steps.later.output.v}"}
                output: [ "${steps.later2.output}", "${steps.each.itmes}" ]
                """))
        .containsExactly(
            "later-step 'steps.one.output.v' reads step 'one', which has not ended at this point",
            "unknown-step 'steps.each.stale' reads 'stale', which is not a field of step 'each'",
            "unknown-step 'steps.later2.items' reads 'items', which is not a field of step 'later2'",
            "later-step 'steps.later2.items' reads step 'later2', which has not ended at this point",
            "unknown-step 'steps.each.itmes' reads 'itmes', which is not a field of step 'each', did you mean 'items'?");
    assertThat(
            findings(
                """
                flow: nothing
                key: ${input.id}
                steps:
                  - id: each
                    forEach: ${input.items}
                    itemKey: ${item}
                """))
        .singleElement()
        .asString()
        .startsWith("schema a step needs one of http, ")
        .endsWith(", or forEach with steps");
  }

  private static List<String> findings(String text) {
    return Check.check("f.yaml", text).findings().stream().map(ForEachBlockTest::words).toList();
  }

  private static String words(Finding finding) {
    return finding.rule() + " " + finding.message();
  }
}
