package dev.hapax.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code hapax prove} on a flow that is wrong, and on odd places. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProveVerbTest {
  @TempDir private Path home;

  @Test
  void a_wrong_flow_fails_with_its_effect_and_boundary_also_for_build_servers() throws IOException {
    Path report = home.resolve("junit.xml");
    JsonNode answer = prove(1, "doubtful.yaml", "--junit", report.toString());

    assertThat(answer.path("error").path("code").stringValue()).isEqualTo("not-proven");
    JsonNode problem = answer.path("data").path("proofs").get(0).path("problems").get(0);
    assertThat(problem.path("effect").stringValue()).isEqualTo("bank.payout");
    assertThat(problem.path("boundary").stringValue())
        .isEqualTo(
            "the answer to request 1 is lost (effect 'bank.payout' with key 'id-1', attempt 1)");
    assertThat(problem.path("what").stringValue()).isEqualTo("it was applied 2 times instead of 1");
    assertThat(Files.readString(report))
        .contains("<testsuite name=\"doubtful\" tests=\"2\" failures=\"1\"")
        .contains("name=\"effect 'bank.payout' is applied once\"");
  }

  @Test
  void a_person_sees_a_row_per_effect_and_each_problem_with_its_boundary() throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      Samples.putInto(desk);

      Desk.Effect good = desk.answers(List.of()).type(true, List.of("prove", "good.yaml"));
      Desk.Effect wrong = desk.answers(List.of()).type(true, List.of("prove", "doubtful.yaml"));

      assertThat(good.out())
          .contains("good: 11 runs, disturbed at 2 commits and 1 request\n")
          .containsPattern("EFFECT +GUARD +SENT +APPLIED +SETTLED BY +REVIEW\n")
          .containsPattern("good/order +upsert +1-2 +1 +[a-z].* 0\n")
          .endsWith("1 proof holds: every effect was applied once\n");
      assertThat(good.err()).contains("good: 1 of 10 runs");
      assertThat(wrong.out())
          .containsPattern("bank.payout +none +1-2 +1-2 +.*repeat")
          .contains(
              "failed When the process dies when request 1 has arrived (effect 'bank.payout'");
      assertThat(wrong.err()).contains("1 of 1 proof not proven: doubtful");
    }
  }

  private JsonNode prove(int exit, String... words) throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      Samples.putInto(desk);
      var command = new ArrayList<>(List.of("prove"));
      command.addAll(List.of(words));
      Desk.Effect effect = desk.answers(List.of()).type(false, command);
      assertThat(effect.exit()).as(effect.out()).isEqualTo(exit);
      return Json.tree(effect.out());
    }
  }
}
