package dev.hapax.trial.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.trial.FolderFixture;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases pass, fail with readable differences, and always end. */
class CaseSuiteTest {
  @TempDir private Path root;

  private CaseSuite.Outcome run(String flow, String cases) {
    CaseSuite.Outcome outcome =
        new FolderFixture(root).with("charge.yaml", flow).with("charge.test.yaml", cases).run();
    assertThat(outcome.problems()).isEmpty();
    return outcome;
  }

  private static List<String> differences(CaseSuite.Outcome outcome) {
    return outcome.results().stream().flatMap(result -> result.differences().stream()).toList();
  }

  @Test
  void what_is_as_expected_passes() {
    CaseSuite.Outcome outcome =
        run(
            FolderFixture.CHARGE,
            """
            cases:
              - name: a lost answer and a death, and one charge
                input: {id: A-1}
                answers:
                  charge: [{body: {id: ch_1}, fault: applied-then-lost}, {}]
                kill: [before send charge attempt 2]
                do:
                  - start: again
                expect:
                  status: succeeded
                  output: {charge: ch_1}
                  sends:
                    - {step: charge, key: A-1, applied: 1, method: POST, url: /charges, body: {order: A-1}}
                    - {step: charge, key: A-1, applied: 0}
                  applied: {charge: 1}
                  reviews: []
                  history: [the process ended]
                  duplicates: 1
            """);

    assertThat(differences(outcome)).isEmpty();
    assertThat(outcome.coverage()).containsExactly(new Coverage.OfFlow("charge", 1, 1, List.of()));
  }

  @Test
  void what_differs_is_shown_as_a_difference() {
    CaseSuite.Outcome outcome =
        run(
            FolderFixture.CHARGE,
            """
            cases:
              - name: nothing is as expected
                input: {id: A-1}
                answers:
                  charge: {body: {id: ch_1}}
                expect:
                  status: failed
                  error: http-500
                  output: {charge: ch_2}
                  sends:
                    - {step: charge, key: A-2}
                  applied: {charge: 2}
                  history: [no such line]
            """);

    assertThat(differences(outcome))
        .startsWith(
            "status: expected failed, got succeeded",
            "error: expected http-500, got null",
            "output: expected {\"charge\":\"ch_2\"}%n        got      {\"charge\":\"ch_1\"}"
                .formatted(),
            """
            sends (- expected, + sent):
                - charge key A-2
                + charge key A-1 applied 1 (POST https://payments.test/charges)
            """,
            "applied: expected charge 2 times, got 1 times")
        .anyMatch(difference -> difference.startsWith("history: no line has 'no such line':"));
  }

  @Test
  void a_case_without_expectations_does_not_pass() {
    assertThat(differences(run(FolderFixture.CHARGE, "cases: [{name: a, input: {id: A-1}}]\n")))
        .containsExactly(
            "the case expects nothing: add 'expect', or let --update write what happens now");
  }

  @Test
  void a_death_at_a_place_that_is_not_reached_is_a_difference() {
    assertThat(
            differences(
                run(
                    FolderFixture.CHARGE,
                    """
                    cases:
                      - name: never
                        input: {id: A-1}
                        kill: [after send charge attempt 7]
                        expect: {status: succeeded}
                    """)))
        .containsExactly(
            "the process did not die after send charge attempt 7: that place was not reached");
  }

  @Test
  void a_flow_that_repeats_for_ever_is_stopped() {
    String endless =
        """
        flow: charge
        key: ${input.id}
        steps:
          - id: again
            repeat:
              until: ${steps.look.output.body.done == true}
              maxRounds: 100000
              steps:
                - id: look
                  http: {connection: shop, path: /state}
        """;

    assertThat(
            differences(
                run(
                    endless,
                    """
                    cases:
                      - name: for ever
                        input: {id: A-1}
                        answers:
                          look: {body: {done: false}}
                        expect: {status: succeeded}
                    """)))
        .hasSize(1)
        .allMatch(difference -> difference.startsWith("it did not come to rest after"));
  }

  @Test
  void a_step_that_is_refused_for_ever_ends_with_its_retries() {
    assertThat(
            differences(
                run(
                    FolderFixture.CHARGE,
                    """
                    cases:
                      - name: never connected
                        input: {id: A-1}
                        answers:
                          charge: {fault: refused}
                        expect: {status: failed, error: not-applied, applied: {charge: 0}}
                    """)))
        .isEmpty();
  }

  @Test
  void children_of_the_folder_take_part() {
    new FolderFixture(root)
        .with(
            "parent.yaml",
            """
            flow: parent
            key: ${input.id}
            steps:
              - id: child
                flow: {name: charge, input: {id: "${input.id}"}}
            output: ${steps.child.output}
            """)
        .with(
            "parent.test.yaml",
            """
            cases:
              - name: the child charges
                input: {id: A-1}
                answers:
                  charge: {body: {id: ch_1}}
                kill: [after send charge]
                expect: {status: succeeded, output: {charge: ch_1}, applied: {charge: 1}}
            """);

    assertThat(
            differences(
                run(
                    FolderFixture.CHARGE,
                    "cases: [{name: a, input: {id: A-1}, expect: {status: succeeded}}]\n")))
        .isEmpty();
  }

  @Test
  void notices_of_approvals_are_sends_of_their_step_and_alerts_are_not() {
    String asking =
        """
        flow: charge
        key: ${input.id}
        alerts:
          failed: [{email: {connection: smtp, to: ops@example.com}}]
        steps:
          - id: ask
            approval:
              ask: Charge ${input.id}?
              expires: 3d
              onExpire: reject
              notify: [{email: {connection: smtp, to: boss@example.com}}]
        """;

    assertThat(
            differences(
                run(
                    asking,
                    """
                    cases:
                      - name: not approved in time
                        input: {id: A-1}
                        do:
                          - move: 73h
                        expect:
                          status: failed
                          error: rejected
                          sends:
                            - {step: ask, body: {to: [boss@example.com]}}
                    """)))
        .isEmpty();
  }

  @Test
  void an_input_that_does_not_fit_is_a_refusal() {
    String typed =
        FolderFixture.CHARGE.replace(
            "key: ${input.id}", "input: {type: object, required: [id]}\nkey: ${input.id}");

    assertThat(
            differences(
                run(
                    typed,
                    """
                    cases:
                      - name: refused
                        input: {}
                        expect: {refused: invalid-input, sends: []}
                      - name: unexpected
                        input: {}
                        expect: {sends: []}
                    """)))
        .hasSize(1)
        .allMatch(difference -> difference.startsWith("refused: expected no refusal, got invalid"));
  }
}
