package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import java.util.LinkedHashMap;
import tools.jackson.databind.JsonNode;

/** Turns the state of a run into an answer and an exit code. */
final class RunAnswer {
  private RunAnswer() {}

  /** Answers for a run that a command followed: its end is the command's end. */
  static VerbAnswer of(RunWatch.Outcome outcome, Paint paint) {
    var run = new Item(outcome.run());
    String id = run.text("id");
    String next =
        outcome.asksPerson()
            ? "the run waits for a person; next: hapax explain %s%n".formatted(id)
            : "";
    VerbAnswer answer = VerbAnswer.of(outcome.run(), RunText.sheet(run, paint) + next);
    if (RunText.hasEndedBadly(run)) {
      Item error = run.inner("error");
      String code = error.text("code").isEmpty() ? run.text("status") : error.text("code");
      String why = error.text("message").isEmpty() ? "" : ": " + error.text("message");
      var details = new LinkedHashMap<String, Object>();
      details.put("run", id);
      details.put("status", run.text("status"));
      return answer.refused(
          Refusal.of(Exit.RUN_FAILED, code, "run %s is %s%s".formatted(id, run.text("status"), why))
              .details(details)
              .hint("hapax explain " + id));
    }
    return outcome.asksPerson() ? answer.exit(Exit.WAITS_FOR_PERSON) : answer;
  }

  /** Answers for a run that was only read. */
  static VerbAnswer seen(JsonNode run, Paint paint) {
    return VerbAnswer.of(run, RunText.sheet(new Item(run), paint));
  }
}
