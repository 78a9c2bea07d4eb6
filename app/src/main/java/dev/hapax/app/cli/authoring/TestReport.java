package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.cases.CaseResult;
import dev.hapax.trial.cases.CaseSuite;
import dev.hapax.trial.cases.Coverage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code hapax test} says, to people and to programs. */
record TestReport(FlowFolder folder, CaseSuite.Outcome outcome, List<String> written, Paint paint) {
  VerbAnswer answer() {
    VerbAnswer answer = VerbAnswer.of(data(), text());
    List<FileProblem> problems = outcome.problems();
    if (!problems.isEmpty() || !folder.problems().isEmpty()) {
      return answer.refused(
          Refusal.of(
                  Exit.REFUSED,
                  "findings",
                  "%s in %s"
                      .formatted(
                          Words.count(problems.size() + folder.problems().size(), "error"),
                          "the files of this folder"))
              .hint("each finding names its fix; docs/flows/testing.md describes the files"));
    }
    if (outcome.failed() > 0) {
      return answer.refused(
          Refusal.of(
                  Exit.RUN_FAILED,
                  "cases-failed",
                  "%s of %s failed"
                      .formatted(outcome.failed(), Words.count(outcome.results().size(), "case")))
              .hint(
                  "if the new behavior is right: hapax test --update, and review the difference"));
    }
    return answer;
  }

  private String text() {
    var text = new StringBuilder();
    folder.problems().forEach(problem -> text.append(problem).append('\n'));
    for (FileProblem problem : outcome.problems()) {
      text.append(
          "%s %s %s: %s.%n  %s%n"
              .formatted(
                  problem.position(),
                  paint.status("error"),
                  problem.rule(),
                  problem.message(),
                  problem.fix()));
    }
    outcome.results().stream().filter(result -> !result.isPassed()).forEach(r -> add(text, r));
    written.forEach(file -> text.append("wrote ").append(file).append('\n'));
    long passed = outcome.results().size() - outcome.failed();
    text.append(
        "%s of %s passed%n".formatted(passed, Words.count(outcome.results().size(), "case")));
    outcome.coverage().forEach(one -> add(text, one));
    return text.toString();
  }

  private void add(StringBuilder text, CaseResult result) {
    text.append(
        "%s %s%n  %s%n"
            .formatted(
                paint.bad("FAILED"), paint.strong(result.of().name()), result.of().position()));
    for (String difference : result.differences()) {
      difference.lines().forEach(line -> text.append("  ").append(line).append('\n'));
    }
  }

  private static void add(StringBuilder text, Coverage.OfFlow tried) {
    text.append(
        "%s: %d of %d steps and branches tried%n"
            .formatted(tried.flow(), tried.tried(), tried.total()));
    tried.missing().forEach(one -> text.append("  not tried: ").append(one).append('\n'));
  }

  private Map<String, Object> data() {
    var data = new LinkedHashMap<String, Object>();
    data.put("cases", outcome.results().stream().map(TestReport::json).toList());
    var findings = new ArrayList<Map<String, Object>>();
    outcome.problems().forEach(problem -> findings.add(json(problem)));
    data.put("findings", findings);
    data.put("problems", folder.problems());
    data.put("coverage", outcome.coverage().stream().map(TestReport::json).toList());
    var totals = new LinkedHashMap<String, Object>();
    totals.put("cases", outcome.results().size());
    totals.put("passed", outcome.results().size() - outcome.failed());
    totals.put("failed", outcome.failed());
    data.put("totals", totals);
    data.put("written", written);
    return data;
  }

  private static Map<String, Object> json(CaseResult result) {
    var json = new LinkedHashMap<String, Object>();
    json.put("name", result.of().name());
    json.put("flow", result.of().flow());
    json.put("file", result.of().position().file());
    json.put("line", result.of().position().line());
    json.put("passed", result.isPassed());
    json.put("differences", result.differences());
    return json;
  }

  private static Map<String, Object> json(FileProblem problem) {
    var json = new LinkedHashMap<String, Object>();
    json.put("rule", problem.rule());
    json.put("level", "error");
    json.put("file", problem.position().file());
    json.put("line", problem.position().line());
    json.put("column", problem.position().column());
    json.put("message", problem.message());
    json.put("fix", problem.fix());
    return json;
  }

  private static Map<String, Object> json(Coverage.OfFlow tried) {
    var json = new LinkedHashMap<String, Object>();
    json.put("flow", tried.flow());
    json.put("tried", tried.tried());
    json.put("total", tried.total());
    json.put("missing", tried.missing());
    return json;
  }
}
