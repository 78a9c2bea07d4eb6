package dev.hapax.trial.proof;

import dev.hapax.testkit.ProofProblem;
import dev.hapax.testkit.ProofReport;
import dev.hapax.testkit.ProvenEffect;
import dev.hapax.trial.JUnitXml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The proof of one flow of a folder. */
public final class FlowProof {
  private final String flow;
  private final String file;
  private final @Nullable String testCase;
  private final @Nullable ProofReport report;
  private final @Nullable String refusal;

  private FlowProof(
      String flow,
      String file,
      @Nullable String testCase,
      @Nullable ProofReport report,
      @Nullable String refusal) {
    this.flow = flow;
    this.file = file;
    this.testCase = testCase;
    this.report = report;
    this.refusal = refusal;
  }

  static FlowProof of(String flow, String file, @Nullable String testCase, ProofReport report) {
    return new FlowProof(flow, file, testCase, report, null);
  }

  /** Of a flow that could not be tried, with the reason and what to do. */
  static FlowProof refused(String flow, String file, @Nullable String why) {
    return new FlowProof(flow, file, null, null, why);
  }

  /**
   * A row of its table.
   *
   * @param sent the least and the most of all runs, under one key, as is {@code applied}
   */
  public record Row(
      String effect,
      String guard,
      int keys,
      String sent,
      String applied,
      String settledBy,
      int reviews) {}

  /** Returns the flow, and the case if it has one. */
  public String name() {
    return testCase == null ? flow : "%s: %s".formatted(flow, testCase);
  }

  public String file() {
    return file;
  }

  /** Whether every effect happened once in each run. */
  public boolean holds() {
    return report != null && report.holds();
  }

  /** Whether all boundaries were tried. */
  public boolean isComplete() {
    return report != null && report.untried().isEmpty();
  }

  /** Returns how many runs it took, and at how many boundaries of each kind; empty for none. */
  public String effort() {
    return report == null
        ? ""
        : "%s, disturbed at %s and %s"
            .formatted(
                counted(report.runs(), "run"),
                counted(report.commits(), "commit"),
                counted(report.requests(), "request"));
  }

  private static String counted(int number, String noun) {
    return "%,d %s%s".formatted(number, noun, number == 1 ? "" : "s");
  }

  public List<Row> rows() {
    return report == null ? List.of() : report.effects().stream().map(FlowProof::row).toList();
  }

  private static Row row(ProvenEffect effect) {
    return new Row(
        effect.effect(),
        effect.guard(),
        effect.keys(),
        effect.sent().toString(),
        effect.applied().toString(),
        effect.settledByText(),
        effect.reviews());
  }

  /** Returns what was found, each with its boundary, its effect and what happened. */
  public List<String> problems() {
    if (refusal != null) {
      return List.of(refusal);
    }
    return report == null ? List.of() : report.problems().stream().map(Object::toString).toList();
  }

  /** Returns what was not tried. */
  public List<String> untried() {
    return report == null ? List.of() : report.untried();
  }

  /** Returns the report; null if the flow could not be tried. */
  @Nullable ProofReport report() {
    return report;
  }

  /** Returns a result for the run, and one for each effect. */
  public List<JUnitXml.Result> junit() {
    List<JUnitXml.Result> results = new ArrayList<>();
    Duration took = report == null ? Duration.ZERO : report.took();
    List<String> ofRun =
        refusal != null ? List.of(refusal) : problems(problem -> problem.effect() == null);
    results.add(
        new JUnitXml.Result(name(), "the run ends as it does undisturbed", took, failure(ofRun)));
    for (Row row : rows()) {
      List<String> ofEffect = problems(problem -> row.effect().equals(problem.effect()));
      String what = "effect '%s' is applied once".formatted(row.effect());
      results.add(new JUnitXml.Result(name(), what, Duration.ZERO, failure(ofEffect)));
    }
    return results;
  }

  private List<String> problems(Predicate<ProofProblem> which) {
    return report == null
        ? List.of()
        : report.problems().stream().filter(which).map(Object::toString).toList();
  }

  private static @Nullable String failure(List<String> problems) {
    return problems.isEmpty() ? null : String.join("\n", problems);
  }

  /** Returns it for programs; the names never change. */
  public Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("flow", flow);
    json.put("file", file);
    json.put("case", testCase);
    json.put("holds", holds());
    json.put("refusal", refusal);
    if (report != null) {
      json.put("status", report.status().word());
      json.put("runs", report.runs());
      json.put("commits", report.commits());
      json.put("requests", report.requests());
      json.put("reviews", report.reviews());
      json.put("effects", effects(report));
      json.put("problems", problems(report));
      json.put("untried", report.untried());
    }
    return json;
  }

  private static List<Map<String, Object>> effects(ProofReport report) {
    List<Map<String, Object>> effects = new ArrayList<>();
    for (ProvenEffect effect : report.effects()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("effect", effect.effect());
      one.put("guard", effect.guard());
      one.put("keys", effect.keys());
      one.put("sent", range(effect.sent()));
      one.put("applied", range(effect.applied()));
      one.put("settledBy", effect.settledBy());
      one.put("reviews", effect.reviews());
      effects.add(one);
    }
    return effects;
  }

  private static Map<String, Object> range(ProvenEffect.Range range) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("least", range.least());
    json.put("most", range.most());
    return json;
  }

  private static List<Map<String, @Nullable Object>> problems(ProofReport report) {
    List<Map<String, @Nullable Object>> problems = new ArrayList<>();
    for (var problem : report.problems()) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("effect", problem.effect());
      one.put("key", problem.key());
      one.put("boundary", problem.boundary());
      one.put("what", problem.what());
      problems.add(one);
    }
    return problems;
  }
}
