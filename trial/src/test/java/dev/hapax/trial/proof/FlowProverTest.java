package dev.hapax.trial.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.RunStatus;
import dev.hapax.flows.connection.Connections;
import dev.hapax.testkit.ProofLimits;
import dev.hapax.testkit.ProofProblem;
import dev.hapax.testkit.ProofReport;
import dev.hapax.testkit.ProvenEffect;
import dev.hapax.trial.EventDoor;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.cases.CaseFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Proofs find flows that are wrong on purpose, and survive hostile ones. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlowProverTest {
  private static final Path FLOWS =
      Path.of(System.getProperty("basedir", "."), "src/test/resources/dev/hapax/trial/proof");
  private static final ProofLimits LIMITS = new ProofLimits(Duration.ofSeconds(60), 2, 12, 100);

  @TempDir private Path folder;

  @Test
  void a_doubt_that_is_settled_by_repeating_is_found_with_its_boundary() throws IOException {
    ProofReport report = report(prove("wrong", "repeated-payout"));

    assertThat(boundaries(report, "bank.payout"))
        .anyMatch(line -> line.startsWith("the answer to request 1 is lost"))
        .anyMatch(line -> line.startsWith("the process dies when request 1 has arrived"))
        .allMatch(line -> !line.contains("is lost on its way"));
    assertThat(row(report, "bank.payout").applied()).isEqualTo(new ProvenEffect.Range(1, 2));
    assertThat(row(report, "bank.payout").settledBy()).containsKey("repeat");
  }

  @Test
  void a_post_that_is_declared_an_upsert_is_found_with_its_boundary() throws IOException {
    ProofReport report = report(prove("wrong", "posted-upsert"));

    assertThat(boundaries(report, "helpdesk.ticket"))
        .anyMatch(line -> line.startsWith("the answer to request 1 is lost"))
        .anyMatch(line -> line.startsWith("request 1 arrives twice"));
  }

  @Test
  void a_lookup_that_always_says_not_found_is_found_with_its_boundary() throws IOException {
    ProofReport report = report(prove("wrong", "blind-lookup"));

    assertThat(boundaries(report, "accounting.invoice"))
        .anyMatch(line -> line.startsWith("the answer to request 1 is lost"))
        .anyMatch(line -> line.startsWith("the process dies when request 1 has arrived"));
    assertThat(report.problems().getFirst().toString())
        .contains("effect 'accounting.invoice' with key 'order-1': it was applied 2 times");
  }

  @Test
  void a_case_that_is_compensated_is_compensated_once() throws IOException {
    ProofReport report = report(prove("cases", "trip"));

    assertThat(report.problems()).isEmpty();
    assertThat(report.status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(row(report, "flight.book.undo").applied()).isEqualTo(new ProvenEffect.Range(1, 1));
  }

  @Test
  void a_read_that_is_repeated_after_a_crash_gets_its_answer_and_not_the_next_one()
      throws IOException {
    ProofReport report = report(prove("cases", "pages"));

    assertThat(report.problems()).isEmpty();
    assertThat(row(report, "carrier.ship").keys()).isEqualTo(3);
  }

  @Test
  void people_and_systems_answer_as_the_case_says_and_before_anything_expires() throws IOException {
    ProofReport report = report(prove("cases", "offer"));

    assertThat(report.problems()).isEmpty();
    assertThat(row(report, "offer.put").applied()).isEqualTo(new ProvenEffect.Range(2, 2));
    assertThat(row(report, "offer.mail").settledBy()).containsKey("person");
  }

  @Test
  void an_effect_that_its_case_lets_repeat_may_be_applied_twice() throws IOException {
    ProofReport report = report(prove("cases", "alarm"));

    assertThat(report.problems()).isEmpty();
    assertThat(row(report, "pager.page").applied()).isEqualTo(new ProvenEffect.Range(1, 2));
  }

  @Test
  void a_question_to_a_model_may_be_asked_twice_and_what_follows_happens_once() throws IOException {
    ProofReport report = report(prove("cases", "letter"));

    assertThat(report.problems()).isEmpty();
    assertThat(row(report, "letter/hapax.llm").applied()).isEqualTo(new ProvenEffect.Range(1, 2));
    assertThat(row(report, "desk.ticket").applied()).isEqualTo(new ProvenEffect.Range(1, 1));
  }

  @Test
  void a_flow_that_never_ends_is_given_up() throws IOException {
    FlowProof proof = prove("hostile", "endless", LIMITS.within(Duration.ofSeconds(1)));

    assertThat(proof.holds()).isFalse();
    assertThat(proof.problems().getFirst()).contains("does not come to an end");
  }

  @Test
  @Tag("simulation")
  void an_effect_for_each_of_a_thousand_items_is_sampled() throws IOException {
    ProofReport report =
        report(prove("hostile", "thousand", new ProofLimits(Duration.ofSeconds(60), 2, 1, 1)));

    assertThat(report.problems()).isEmpty();
    assertThat(row(report, "carrier.parcel").keys()).isEqualTo(1_000);
    assertThat(report.untried())
        .contains("of the 1,000 requests of effect 'carrier.parcel', 1 were disturbed");
  }

  @Test
  void a_flow_without_effects_holds_and_says_so() throws IOException {
    ProofReport report = report(prove("hostile", "no-effect"));

    assertThat(report.holds()).isTrue();
    assertThat(report.effects()).isEmpty();
    assertThat(report.toString()).contains("the flow has no effect");
  }

  @Test
  void a_flow_that_fails_undisturbed_is_reported_with_its_history() throws IOException {
    FlowProof proof = prove("hostile", "fails");

    assertThat(report(proof).status()).isEqualTo(RunStatus.FAILED);
    assertThat(proof.problems())
        .singleElement()
        .asString()
        .contains("does not succeed when nothing goes wrong", "sold-out", "done step note");
  }

  @Test
  void a_schema_for_which_no_input_can_be_made_says_what_to_do() throws IOException {
    Files.writeString(
        folder.resolve("coded.yaml"),
        """
        flow: coded
        input: {type: object, required: [code], properties: {code: {type: string, pattern: "^[A-Z]{3}$"}}}
        key: ${input.code}
        steps:
          - id: one
            set: {a: 1}
        """);

    FlowProof proof = prove(folder, "coded", LIMITS);

    assertThat(proof.holds()).isFalse();
    assertThat(proof.problems()).singleElement().asString().contains("write a case file");
  }

  private static List<String> boundaries(ProofReport report, String effect) {
    return report.problems().stream()
        .filter(problem -> effect.equals(problem.effect()))
        .map(ProofProblem::boundary)
        .toList();
  }

  private static ProvenEffect row(ProofReport report, String effect) {
    return report.effects().stream()
        .filter(row -> row.effect().equals(effect))
        .findFirst()
        .orElseThrow();
  }

  private static ProofReport report(FlowProof proof) {
    return Objects.requireNonNull(proof.report());
  }

  private static FlowProof prove(String group, String flow) throws IOException {
    return prove(group, flow, LIMITS);
  }

  private static FlowProof prove(String group, String flow, ProofLimits limits) throws IOException {
    return prove(FLOWS.resolve(group), flow, limits);
  }

  private static FlowProof prove(Path where, String flow, ProofLimits limits) throws IOException {
    FlowFolder read = FlowFolder.read(where);
    FlowFolder.Entry entry = Objects.requireNonNull(read.flows().get(flow));
    List<CaseFile> cases = read.tests().stream().map(path -> CaseFile.read(read, path)).toList();
    assertThat(cases.stream().flatMap(file -> file.problems().stream())).isEmpty();
    return new FlowProver(
            new SceneParts(read, Connections.NONE, EventDoor.CLOSED),
            cases,
            limits,
            (_, _, _) -> {})
        .prove(List.of(entry))
        .getFirst();
  }
}
