package dev.hapax.flows.graph;

import dev.hapax.flows.graph.Drawing.Area;
import dev.hapax.flows.graph.Drawing.Look;
import java.util.List;

/** A frame around the steps of a loop, with its own words at the top. */
final class LoopFrame implements Block {
  private static final double MARGIN = 14;
  private static final double SIGN = 20;
  private static final TextStyle STYLE = TextStyle.NOTE;

  private final Block inner;
  private final String words;
  private final String title;

  LoopFrame(Block inner, String words) {
    this.inner = inner;
    this.title = words;
    this.words = TextWidth.cut(words, STYLE, Math.max(300, inner.left() + inner.right()));
  }

  private double half() {
    return (TextWidth.of(words, STYLE) + SIGN) / 2;
  }

  @Override
  public double left() {
    return Math.max(inner.left(), half()) + MARGIN;
  }

  @Override
  public double right() {
    return Math.max(inner.right(), half()) + MARGIN;
  }

  @Override
  public double height() {
    return inner.height() + STYLE.lineHeight() + 3 * MARGIN / 2 + MARGIN / 2;
  }

  @Override
  public void draw(Drawing drawing, double x, double y) {
    double base = y + MARGIN / 2 + STYLE.lineHeight() - 5;
    var area = new Area(x - left(), y, left() + right(), height());
    var text = new Drawing.Text(words, STYLE, area.x() + MARGIN + SIGN, base, false);
    drawing.add(new Drawing.Shape(Look.LOOP, area, List.of(text), null, title));
    inner.draw(drawing, x, y + STYLE.lineHeight() + MARGIN);
  }

  @Override
  public Linked link(Chart chart, List<String> from) {
    return chart.frame(title, () -> inner.link(chart, from));
  }
}
