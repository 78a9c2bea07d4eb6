package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The answers to all parts of an import, added up. */
final class ImportTotals {
  private static final int MOST_SHOWN = 100;
  private static final List<String> COUNTS = List.of("rows", "added", "same", "exists", "refused");

  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final List<Shown> problems = new ArrayList<>();

  /** A row that was not taken, by its line in the file. */
  private record Shown(int line, String result, String effect, String problem, String todo) {}

  void add(JsonNode part, int linesBefore) {
    COUNTS.forEach(name -> counts.merge(name, part.path(name).asInt(), Integer::sum));
    for (Item one : new Item(part).items("problems")) {
      if (problems.size() < MOST_SHOWN) {
        problems.add(
            new Shown(
                one.json().path("line").asInt() + linesBefore,
                one.text("result"),
                one.text("effect"),
                one.text("problem"),
                one.text("todo")));
      }
    }
  }

  VerbAnswer answer(Paint paint) {
    var data = new LinkedHashMap<String, Object>(counts);
    data.put("problems", problems);
    var table = new Table("LINE", "RESULT", "EFFECT", "PROBLEM");
    for (Shown one : problems) {
      table.row(Integer.toString(one.line()), one.result(), one.effect(), one.problem());
    }
    var text = new StringBuilder(problems.isEmpty() ? "" : table.text(paint, ""));
    int refused = counts.getOrDefault("refused", 0);
    text.append(
        "%s: %d added, %d same, %d exist with other content, %d refused\n"
            .formatted(
                Words.count(counts.getOrDefault("rows", 0), "row"),
                counts.getOrDefault("added", 0),
                counts.getOrDefault("same", 0),
                counts.getOrDefault("exists", 0),
                refused));
    VerbAnswer answer = VerbAnswer.of(data, text.toString());
    return refused == 0
        ? answer
        : answer.refused(
            Refusal.of(
                    Exit.REFUSED,
                    "rows-refused",
                    "%s cannot be imported".formatted(Words.count(refused, "row")))
                .hint(
                    "correct what is refused and import the file again: the other rows count as same"));
  }
}
