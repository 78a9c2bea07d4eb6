package dev.hapax.flows.graph;

import dev.hapax.flows.graph.Drawing.Course;
import dev.hapax.flows.graph.Drawing.Point;
import java.util.ArrayList;
import java.util.List;

/** The triggers of a flow, side by side above its beginning. */
final class Triggered implements Block {
  private static final double BESIDE = 16;
  private static final double BELOW = 14;

  private final List<Block> triggers;
  private final Block start;
  private final double width;

  Triggered(List<Block> triggers, Block start) {
    this.triggers = triggers;
    this.start = start;
    this.width =
        triggers.stream().mapToDouble(one -> one.left() + one.right()).sum()
            + BESIDE * (triggers.size() - 1);
  }

  @Override
  public double left() {
    return Math.max(start.left(), width / 2);
  }

  @Override
  public double right() {
    return Math.max(start.right(), width / 2);
  }

  private double above() {
    return triggers.stream().mapToDouble(Block::height).max().orElse(0);
  }

  @Override
  public double height() {
    return above() + 2 * BELOW + start.height();
  }

  @Override
  public void draw(Drawing drawing, double x, double y) {
    double join = y + above() + BELOW;
    double at = x - width / 2;
    for (Block trigger : triggers) {
      double axis = at + trigger.left();
      trigger.draw(drawing, axis, y);
      drawing.line(
          Course.JOINED,
          new Point(axis, y + trigger.height()),
          new Point(axis, join),
          new Point(x, join));
      at += trigger.left() + trigger.right() + BESIDE;
    }
    drawing.line(Course.FORWARD, new Point(x, join), new Point(x, join + BELOW));
    start.draw(drawing, x, join + BELOW);
  }

  @Override
  public Linked link(Chart chart, List<String> from) {
    var nodes = new ArrayList<String>(from);
    triggers.forEach(trigger -> nodes.addAll(trigger.link(chart, List.of()).ends()));
    return start.link(chart, nodes);
  }
}
