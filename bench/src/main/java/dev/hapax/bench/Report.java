package dev.hapax.bench;

import dev.hapax.json.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects figures, and writes them as a table for people and as JSON for programs. */
final class Report {
  private final List<Figure> figures = new ArrayList<>();

  void add(Figure figure) {
    figures.add(figure);
    System.err.printf(
        "bench:   %s = %s %s%n", figure.name(), number(figure.value()), figure.unit());
  }

  /** The content of results.json per figure. */
  record Result(double value, String unit, @Nullable Double reference, @Nullable Double ratio) {
    static Result of(Figure figure, double bareCommits) {
      DoubleUnaryOperator bare = figure.reference();
      if (bare == null) {
        return new Result(figure.value(), figure.unit(), null, null);
      }
      double reference = bare.applyAsDouble(bareCommits);
      return new Result(figure.value(), figure.unit(), reference, figure.value() / reference);
    }
  }

  void writeJson(Path file, double bareCommits) throws IOException {
    var lines = new StringJoiner(",\n  ", "{\n  ", "\n}\n");
    for (Figure figure : figures) {
      lines.add(Json.write(figure.name()) + ": " + Json.write(Result.of(figure, bareCommits)));
    }
    Files.writeString(file, lines.toString());
  }

  void print(PrintStream out, double bareCommits) {
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("load", "value", "unit", "reference", "ratio", "target", "goal", "reached"));
    for (Figure figure : figures) {
      rows.add(row(figure, Result.of(figure, bareCommits)));
    }
    int columns = rows.getFirst().size();
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        boolean isNumber = i == 1 || i == 3 || i == 4;
        line.append(
            String.format(Locale.ROOT, "%" + (isNumber ? "" : "-") + width[i] + "s  ", row.get(i)));
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static List<String> row(Figure figure, Result result) {
    Goal goal = figure.goal();
    Double reference = result.reference();
    Double ratio = result.ratio();
    double compared =
        goal != null && goal.of() == Goal.Of.RATIO && ratio != null ? ratio : result.value();
    return List.of(
        figure.name(),
        number(result.value()),
        result.unit(),
        reference == null ? "" : number(reference),
        ratio == null ? "" : number(ratio),
        goal == null ? "" : goal.text(goal.target()),
        goal == null ? "" : goal.text(goal.goal()),
        goal == null ? "" : goal.verdict(compared));
  }

  static String number(double value) {
    String form = value == Math.rint(value) || Math.abs(value) >= 100 ? "%,.0f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }
}
