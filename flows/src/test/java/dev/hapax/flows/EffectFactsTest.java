package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.json.Json;
import dev.hapax.testkit.FlowTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What expressions know about an effect, a lock and a round, beside results. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EffectFactsTest extends LoadedFlowTest {
  private static final String SYNC =
      """
      flow: sync
      key: ${input.run}
      steps:
        - id: never
          when: ${input.version < 0}
          call: {handler: ship, input: "${input.id}"}
          effect: {kind: create, key: "never/${input.id}", guard: keyed}
        - id: price
          call: {handler: ship, input: "${input.version}"}
          effect: {kind: update, key: "${input.id}", version: "${input.version}", guard: upsert}
        - id: later
          wait: {for: 1m}
        - id: mail
          when: ${!steps.price.stale}
          call: {handler: ship, input: "mail ${input.version}"}
          effect: {kind: notify, key: "${input.id}/${input.version}", guard: none}
      output:
        price: ["${steps.price.stale}", "${steps.price.reused}", "${steps.price.found}"]
        never: ["${steps.never.stale}", "${steps.never.reused}", "${steps.never.found}", "${steps.never.externalId}"]
        whole: ${steps.mail}
      """;

  @Test
  void a_flow_decides_not_to_mail_about_an_old_state() {
    LoadedFlow flow = load(SYNC);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      String fresh = output(test, flow, Map.of("run", "1", "id", "A", "version", 5));
      String old = output(test, flow, Map.of("run", "2", "id", "A", "version", 4));

      assertThat(fresh)
          .startsWith("{\"price\":[false,false,false],\"never\":[false,false,false,null]");
      assertThat(old).startsWith("{\"price\":[true,true,false],\"never\":[false,false,false,null]");
      assertThat(calls).containsExactly("ship 5", "ship mail 5");
    }
  }

  /** Otherwise a request that contains it would differ after an upgrade. */
  @Test
  void a_whole_result_has_no_members_that_the_file_does_not_name() {
    LoadedFlow flow = load(SYNC);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      assertThat(output(test, flow, Map.of("run", "1", "id", "A", "version", 5)))
          .endsWith(
              "\"whole\":{\"output\":{\"parcel\":\"p-mail 5\"},\"externalId\":null,\"error\":null}}");
    }
  }

  private static String output(FlowTest test, LoadedFlow flow, Map<String, Object> input) {
    RunHandle<Object> run = test.start(flow.flow(), input);
    test.crash();
    test.move(Duration.ofMinutes(2));
    return Objects.requireNonNull(test.hapax().run(run.id()).output());
  }

  @Test
  void the_fence_of_a_lock_grows_with_each_holder_and_is_the_same_after_a_crash() {
    LoadedFlow flow =
        load(
            """
            flow: fenced
            key: ${input.id}
            steps:
              - id: print
                lock: printer
                choose:
                  - otherwise:
                      - id: first
                        set: {fence: "${lock.fence}"}
                      - id: pause
                        wait: {for: 1h}
                      - id: second
                        set: {fence: "${lock.fence}", key: "${lock.key}"}
            output: ["${steps.first.output.fence}", "${steps.second.output.fence}", "${steps.second.output.key}"]
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      List<?> first = fences(test, flow, "a");
      List<?> second = fences(test, flow, "b");

      assertThat(first.get(0)).isEqualTo(first.get(1));
      assertThat(first.get(2)).isEqualTo("printer");
      assertThat(((Number) second.get(0)).longValue())
          .isGreaterThan(((Number) first.get(0)).longValue());
    }
  }

  private static List<?> fences(FlowTest test, LoadedFlow flow, String id) {
    RunHandle<Object> run = test.start(flow.flow(), Map.of("id", id));
    test.crash();
    test.move(Duration.ofHours(2));
    String output = Objects.requireNonNull(test.hapax().run(run.id()).output());
    return Json.read(output, List.class);
  }

  @Test
  void the_round_of_a_rework_is_known_inside_it_and_is_one_outside() {
    LoadedFlow flow =
        load(
            """
            flow: rounds
            key: ${input.id}
            steps:
              - id: before
                set: {round: "${run.round}"}
              - id: draft
                set: {round: "${run.round}"}
              - id: ask
                approval: {ask: "round ${run.round}?", rework: draft, expires: 1d}
              - id: after
                set: {round: "${run.round}"}
            output: ["${steps.before.output.round}", "${steps.draft.output.round}", "${steps.after.output.round}"]
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      test.hapax().approvals().decide(asked(test, "round 1?"), Verdict.rework("ann", "again"));
      test.crash();
      test.move(Duration.ofMinutes(1));
      test.hapax().approvals().decide(asked(test, "round 2?"), Verdict.approve("ann"));
      test.move(Duration.ofMinutes(1));

      assertThat(test.hapax().run(run.id()).output()).isEqualTo("[1,2,1]");
    }
  }

  @Test
  void a_reworked_create_is_undone_by_its_own_id_and_sent_again() {
    LoadedFlow flow =
        load(
            """
            flow: parcels
            key: ${input.id}
            steps:
              - id: parcel
                call: {handler: ship, input: "${rework == null ? 'one' : rework.comment}"}
                effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.parcel}", onRework: revise}
                compensate:
                  call: {handler: ship, input: "back ${steps.parcel.externalId}"}
                  effect: {kind: create, key: "${input.id}", guard: keyed}
              - id: ask
                approval: {ask: "${steps.parcel.externalId}?", rework: parcel, expires: 1d}
            output: ${steps.parcel.externalId}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A"));
      test.hapax().approvals().decide(asked(test, "p-one?"), Verdict.rework("ann", "two"));
      test.crash();
      test.move(Duration.ofMinutes(1));
      test.hapax().approvals().decide(asked(test, "p-two?"), Verdict.rework("ann", "two"));
      test.move(Duration.ofMinutes(1));
      test.hapax().approvals().decide(asked(test, "p-two?"), Verdict.approve("ann"));
      test.move(Duration.ofMinutes(1));

      assertThat(test.hapax().run(run.id()).output()).isEqualTo("\"p-two\"");
      assertThat(calls).containsExactly("ship one", "ship back p-one", "ship two");
    }
  }

  @Test
  void a_flow_sends_the_link_to_its_approval_and_each_round_has_its_own() {
    LoadedFlow flow =
        load(
            """
            flow: links
            key: ${input.id}
            steps:
              - id: mail
                call: {handler: ship, input: "${approval('ask', input.who).url} ${approval('ask').url}"}
                effect: {kind: notify, key: "${input.id}/${run.round}", guard: keyed}
              - id: ask
                approval: {ask: "round ${run.round}?", rework: mail, expires: 1d}
            """);
    try (FlowTest test = FlowTest.of(flow.flow())) {
      test.start(flow.flow(), Map.of("id", "A", "who", "ann@example.org"));
      String sent = calls.getFirst();
      test.hapax().approvals().decide(asked(test, "round 1?"), Verdict.rework("ann", "again"));
      test.crash();
      test.move(Duration.ofMinutes(1));
      String again = calls.getLast();

      assertThat(sent).startsWith("ship http://127.0.0.1:8899/approvals/");
      assertThat(again).isNotEqualTo(sent);
      String[] links = again.substring("ship ".length()).split(" ", -1);
      var forAnn = test.hapax().approvals().linked(links[0].replaceAll(".*/", ""));
      var forAnyone = test.hapax().approvals().linked(links[1].replaceAll(".*/", ""));
      assertThat(forAnn.approver()).isEqualTo("ann@example.org");
      assertThat(forAnyone.approver()).isNull();
      assertThat(Objects.requireNonNull(forAnn.item()).ask()).isEqualTo("round 2?");
      assertThat(forAnyone.item()).isEqualTo(forAnn.item());
      assertThat(calls).hasSize(2);
    }
  }

  private static String asked(FlowTest test, String ask) {
    return test.hapax().approvals().list(test.hapax().approvals().open()).stream()
        .filter(one -> one.ask().equals(ask))
        .findFirst()
        .orElseThrow()
        .id();
  }
}
