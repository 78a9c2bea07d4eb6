package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import tools.jackson.databind.JsonNode;

/** Turns the state of a run into an answer and an exit code: design 13. */
final class RunAnswer {
  private RunAnswer() {}

  /** Answers for a run that was watched: its end is the command's end. */
  static Answer of(RunWatch.Watched watched, Paint paint) {
    var run = new Item(watched.run());
    String id = run.text("id");
    String next =
        watched.asksPerson() ? "it waits for a person; next: hapax explain %s%n".formatted(id) : "";
    Answer answer = Answer.of(watched.run(), RunText.sheet(run, paint) + next);
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
    return watched.asksPerson() ? answer.exit(Exit.WAITS_FOR_PERSON) : answer;
  }

  /** Answers for a run that was only read. */
  static Answer seen(JsonNode run, Paint paint) {
    return Answer.of(run, RunText.sheet(new Item(run), paint));
  }
}
