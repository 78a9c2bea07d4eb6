package dev.hapax.flows.graph;

import dev.hapax.flows.graph.Drawing.Course;
import dev.hapax.flows.graph.Drawing.Point;
import java.util.List;

/** A step with its compensation beside it. */
final class Undone implements Block {
  private static final double BESIDE = 24;

  private final Block step;
  private final Block undo;

  Undone(Block step, Block undo) {
    this.step = step;
    this.undo = undo;
  }

  @Override
  public double left() {
    return step.left();
  }

  @Override
  public double right() {
    return step.right() + BESIDE + undo.left() + undo.right();
  }

  @Override
  public double height() {
    return Math.max(step.height(), undo.height());
  }

  @Override
  public boolean goesOn() {
    return step.goesOn();
  }

  @Override
  public double handleDown() {
    return step.handleDown();
  }

  @Override
  public void draw(Drawing drawing, double x, double y) {
    double bottom = y + step.height();
    step.draw(drawing, x, y);
    double begin = x + step.right();
    double middle = y + Math.max(step.height(), undo.height()) / 2;
    undo.draw(drawing, begin + BESIDE + undo.left(), middle - undo.height() / 2);
    double at = Math.min(middle, bottom - 4);
    drawing.line(Course.UNDO, new Point(begin, at), new Point(begin + BESIDE, at));
    if (goesOn() && bottom < y + height()) {
      drawing.line(Course.JOINED, new Point(x, bottom), new Point(x, y + height()));
    }
  }

  @Override
  public Linked link(Chart chart, List<String> from) {
    Linked linked = step.link(chart, from);
    Linked undoing = undo.link(chart, List.of());
    chart.edge(linked.handle(), undoing.handle(), Course.UNDO);
    return linked;
  }
}
