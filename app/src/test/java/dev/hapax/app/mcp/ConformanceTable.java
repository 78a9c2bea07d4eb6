package dev.hapax.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The figures of the conformance suite in {@code docs/flows/mcp.md}, from the results that the
 * suite writes: also those that it does not count, such as those of the tasks extension. With
 * {@code -Dhapax.golden=write} the rows are written anew; the reason of a row is kept.
 */
final class ConformanceTable {
  private static final Path PAGE = Path.of("../docs/flows/mcp.md");
  private static final String HEAD = "|---|---|---|---|---|---|";

  private final String begin;

  /**
   * The rows of one course of the suite.
   *
   * @param against in the words of the page
   */
  ConformanceTable(String revision, String against) {
    this.begin = "| %s | %s | ".formatted(revision, against);
  }

  /** The results in this folder are those of the page. */
  void holds(Path results) throws IOException {
    List<String> lines = Files.readAllLines(PAGE);
    List<String> rows = rows(results, lines);
    if ("write".equals(System.getProperty("hapax.golden"))) {
      lines = written(lines, rows);
      Files.write(PAGE, lines);
    }
    assertThat(lines.stream().filter(line -> line.startsWith(begin)))
        .as("the figures of the conformance suite in docs/flows/mcp.md")
        .containsExactlyElementsOf(rows);
    assertThat(rows).as("a check is excused for a reason").noneMatch(row -> row.endsWith("| ? |"));
  }

  private List<String> rows(Path results, List<String> lines) throws IOException {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String line : lines) {
      if (line.startsWith(begin)) {
        String[] cells = line.split(" *\\| *", -1);
        reasons.put(cells[3], cells[6]);
      }
    }
    List<String> rows = new ArrayList<>();
    for (Map.Entry<String, JsonNode> scenario : scenarios(results).entrySet()) {
      int passed = count(scenario.getValue(), "SUCCESS");
      int excused = count(scenario.getValue(), "FAILURE") + count(scenario.getValue(), "WARNING");
      String name = "`%s`".formatted(scenario.getKey());
      if (excused > 0) {
        String reason = reasons.getOrDefault(name, "");
        rows.add(
            "%s%s | %d | %d | %s |"
                .formatted(begin, name, passed, excused, reason.isEmpty() ? "?" : reason));
      } else if (passed > 0) { // else the suite has skipped all of it
        rows.add("%s%s | %d |  |  |".formatted(begin, name, passed));
      }
    }
    return rows;
  }

  private static int count(JsonNode checks, String status) {
    int count = 0;
    for (JsonNode check : checks) {
      count += check.path("status").asString("").equals(status) ? 1 : 0;
    }
    return count;
  }

  /** A folder is named after its scenario and the time. */
  private static Map<String, JsonNode> scenarios(Path results) throws IOException {
    Map<String, JsonNode> found = new TreeMap<>();
    try (Stream<Path> folders = Files.list(results)) {
      for (Path folder : folders.toList()) {
        String name = folder.getFileName().toString();
        found.put(
            name.replaceFirst("^server-", "").replaceFirst("-\\d{4}-\\d\\d-\\d\\dT.*", ""),
            Json.tree(Files.readString(folder.resolve("checks.json"))));
      }
    }
    return found;
  }

  /** In their place, or below the head of the table. */
  private List<String> written(List<String> lines, List<String> rows) {
    List<String> all = new ArrayList<>();
    int at = -1;
    for (String line : lines) {
      if (line.startsWith(begin)) {
        at = at < 0 ? all.size() : at;
      } else {
        all.add(line);
      }
    }
    all.addAll(at < 0 ? all.indexOf(HEAD) + 1 : at, rows);
    return all;
  }
}
