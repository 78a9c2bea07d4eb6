package dev.hapax.flows.graph;

import dev.hapax.flows.graph.Drawing.Area;
import dev.hapax.flows.graph.Drawing.Course;
import dev.hapax.flows.graph.Drawing.Look;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A box with lines of text, as wide as they need. */
final class Box implements Block {
  private static final double MOST_TEXT = 340;
  private static final double LEAST_WIDTH = 56;
  private static final double SIDE = 14;
  private static final double TOP = 9;

  /** Room for the sign in front of the name. */
  private static final double SIGN = 20;

  /** A line of a box. */
  record Words(String content, TextStyle style) {}

  private final Look look;
  private final @Nullable String step;
  private final String title;
  private final List<Words> lines = new ArrayList<>();
  private final double width;
  private final double height;
  private final boolean goesOn;

  Box(Look look, @Nullable String step, List<Words> words) {
    this(look, step, words, true);
  }

  Box(Look look, @Nullable String step, List<Words> words, boolean goesOn) {
    this.look = look;
    this.step = step;
    this.goesOn = goesOn;
    this.title = String.join("\n", words.stream().map(Words::content).toList());
    double widest = 0;
    double high = 2 * margin(look);
    for (Words line : words) {
      String cut = TextWidth.cut(line.content(), line.style(), MOST_TEXT);
      lines.add(new Words(cut, line.style()));
      widest = Math.max(widest, TextWidth.of(cut, line.style()));
      high += line.style().lineHeight();
    }
    this.width = Math.max(LEAST_WIDTH, Math.ceil(widest + 2 * SIDE + 2 * sign(look)));
    this.height = high;
  }

  private static double margin(Look look) {
    return look == Look.CONDITION ? 3 : TOP;
  }

  /** Added on both sides, so that the text stays in the middle. */
  private static double sign(Look look) {
    return switch (look) {
      case WAIT, ASK, BRANCHES, FAIL -> SIGN;
      default -> 0;
    };
  }

  double width() {
    return width;
  }

  @Override
  public double left() {
    return width / 2;
  }

  @Override
  public double right() {
    return width / 2;
  }

  @Override
  public double height() {
    return height;
  }

  @Override
  public boolean goesOn() {
    return goesOn;
  }

  @Override
  public void draw(Drawing drawing, double x, double y) {
    var texts = new ArrayList<Drawing.Text>();
    double at = y + margin(look);
    for (Words line : lines) {
      // The base line of a text is about a quarter of its size above the end of its line.
      double base = at + line.style().lineHeight() - 5;
      texts.add(new Drawing.Text(line.content(), line.style(), x, base, true));
      at += line.style().lineHeight();
    }
    drawing.add(
        new Drawing.Shape(look, new Area(x - left(), y, width, height), texts, step, title));
  }

  @Override
  public Linked link(Chart chart, List<String> from) {
    String node = chart.node(look, title);
    from.forEach(before -> chart.edge(before, node, Course.FORWARD));
    return new Linked(node, goesOn ? List.of(node) : List.of());
  }
}
