package dev.hapax.app.cli.output;

import java.util.ArrayList;
import java.util.List;

/** One object, line by line: a name and its value. Names without a value are left out. */
public final class Sheet {
  private record Line(String name, String value) {}

  private final List<Line> lines = new ArrayList<>();

  public Sheet line(String name, String value) {
    if (!value.isEmpty()) {
      lines.add(new Line(name, Words.plain(value).replace("\n", "\n  ")));
    }
    return this;
  }

  public String text(String heading, Paint paint) {
    int width = lines.stream().mapToInt(line -> line.name().length()).max().orElse(0);
    var text = new StringBuilder(paint.strong(heading)).append('\n');
    for (Line line : lines) {
      text.append("  ")
          .append(paint.faint(line.name()))
          .repeat(' ', width - line.name().length() + 2)
          .append(paint.status(line.value()))
          .append('\n');
    }
    return text.toString();
  }
}
