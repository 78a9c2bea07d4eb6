package dev.hapax.flows.graph;

import dev.hapax.flows.graph.Drawing.Area;
import dev.hapax.flows.graph.Drawing.Course;
import dev.hapax.flows.graph.Drawing.Look;
import dev.hapax.flows.graph.Drawing.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * Blocks side by side, below the box that describes them: a choice takes one of them, a parallel
 * step all.
 */
final class SideBySide implements Block {
  private static final double BESIDE = 28;
  private static final double BELOW = 18;
  private static final double BAR = 5;

  private final Block head;
  private final List<Block> columns;
  private final boolean all;
  private final double width;

  SideBySide(Block head, List<Block> columns, boolean all) {
    this.head = head;
    this.columns = columns;
    this.all = all;
    this.width =
        columns.stream().mapToDouble(column -> column.left() + column.right()).sum()
            + BESIDE * (columns.size() - 1);
  }

  /**
   * From the left end of the columns to the axis. The axis is that of the middle column, or half
   * way between the outer ones, so that the picture is balanced.
   */
  private double columnsLeft() {
    if (columns.size() % 2 == 1) {
      return axisOf(columns.size() / 2);
    }
    return (axisOf(0) + axisOf(columns.size() - 1)) / 2;
  }

  private double axisOf(int column) {
    double at = columns.get(column).left();
    for (Block before : columns.subList(0, column)) {
      at += before.left() + before.right() + BESIDE;
    }
    return at;
  }

  @Override
  public double left() {
    return Math.max(head.left(), columnsLeft());
  }

  @Override
  public double right() {
    return Math.max(head.right(), width - columnsLeft());
  }

  @Override
  public double height() {
    return head.height() + 2 * BELOW + tallest() + 2 * BELOW;
  }

  private double tallest() {
    return columns.stream().mapToDouble(Block::height).max().orElse(0);
  }

  @Override
  public double handleDown() {
    return head.handleDown();
  }

  @Override
  public double handleLeft() {
    return head.handleLeft();
  }

  @Override
  public boolean goesOn() {
    return columns.stream().anyMatch(Block::goesOn);
  }

  @Override
  public void draw(Drawing drawing, double x, double y) {
    head.draw(drawing, x, y);
    double fork = y + head.height() + BELOW;
    double top = fork + BELOW;
    double join = top + tallest() + BELOW;
    drawing.line(Course.JOINED, new Point(x, fork - BELOW), new Point(x, fork));
    double at = x - columnsLeft();
    double first = at + columns.getFirst().left();
    double last = first;
    for (Block column : columns) {
      double axis = at + column.left();
      last = axis;
      drawing.line(Course.FORWARD, bent(x, axis, fork, top));
      column.draw(drawing, axis, top);
      if (column.goesOn()) {
        double bottom = top + column.height();
        drawing.line(
            Course.JOINED,
            all
                ? new Point[] {new Point(axis, bottom), new Point(axis, join)}
                : new Point[] {new Point(axis, bottom), new Point(axis, join), new Point(x, join)});
      }
      at += column.left() + column.right() + BESIDE;
    }
    if (goesOn()) {
      drawing.line(Course.JOINED, new Point(x, join), new Point(x, join + BELOW));
    }
    if (all) {
      bar(drawing, first, last, fork);
      bar(drawing, first, last, join);
    }
  }

  private Point[] bent(double x, double axis, double fork, double top) {
    return all || axis == x
        ? new Point[] {new Point(axis, fork), new Point(axis, top)}
        : new Point[] {new Point(x, fork), new Point(axis, fork), new Point(axis, top)};
  }

  private static void bar(Drawing drawing, double first, double last, double y) {
    var area = new Area(first - 14, y - BAR / 2, last - first + 28, BAR);
    drawing.add(new Drawing.Shape(Look.FORK, area, List.of(), null, ""));
  }

  @Override
  public Linked link(Chart chart, List<String> from) {
    Linked top = head.link(chart, from);
    var ends = new ArrayList<String>();
    columns.forEach(column -> ends.addAll(column.link(chart, List.of(top.handle())).ends()));
    return new Linked(top.handle(), List.copyOf(ends));
  }
}
