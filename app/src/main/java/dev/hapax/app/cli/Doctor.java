package dev.hapax.app.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
    name = "doctor",
    description =
        "Looks whether this program can work here: Java, profiles, the server, the token.",
    footer = {"", "Exit code 0: all is well; else that of the first problem."})
final class Doctor extends ServerVerb {

  /**
   * The result of one check.
   *
   * @param problem null if it is well
   */
  private record Finding(String what, String seen, @Nullable Refusal problem) {
    Map<String, Object> json() {
      var json = new LinkedHashMap<String, Object>();
      json.put("check", what);
      json.put("ok", problem == null);
      json.put("seen", seen);
      json.put("fix", problem == null ? null : problem.hint());
      return json;
    }
  }

  @Override
  Answer answer(Call call, Server server) {
    var findings = new ArrayList<Finding>();
    findings.add(new Finding("program", "hapax " + Version.version(), null));
    findings.add(java());
    findings.add(profiles(call.surroundings()));
    Finding alive = asked(server, "server", "/healthz", server.url() + " answers");
    findings.add(alive);
    if (alive.problem() == null) {
      findings.add(
          asked(server, "ready", "/readyz", "it takes work, and its store can be written"));
      findings.add(asked(server, "token", "/api/runs?limit=1", "the server knows it"));
    }
    return answer(findings, call.paint());
  }

  private static Answer answer(List<Finding> findings, Paint paint) {
    var table = new Table("CHECK", "", "SEEN");
    for (Finding finding : findings) {
      table.row(finding.what(), finding.problem() == null ? "ok" : "failed", finding.seen());
    }
    var answer =
        Answer.of(
            Map.of("checks", findings.stream().map(Finding::json).toList()), table.text(paint, ""));
    for (Finding finding : findings) {
      Refusal problem = finding.problem();
      if (problem != null) {
        return answer.refused(problem);
      }
    }
    return answer;
  }

  private static Finding java() {
    String version = "Java " + Runtime.version().feature();
    return new Finding("java", version, null);
  }

  private static Finding profiles(Surroundings surroundings) {
    try {
      int count = new ProfileFile(surroundings).read().profiles().size();
      return new Finding("profiles", Words.count(count, "profile"), null);
    } catch (Refusal problem) {
      return new Finding("profiles", problem.message(), problem);
    }
  }

  private static Finding asked(Server server, String what, String path, String seen) {
    try {
      server.ask(Request.get(path));
      return new Finding(what, seen, null);
    } catch (Refusal problem) {
      return new Finding(what, problem.message(), problem);
    }
  }
}
