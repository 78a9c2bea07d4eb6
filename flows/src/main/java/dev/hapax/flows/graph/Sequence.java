package dev.hapax.flows.graph;

import dev.hapax.flows.graph.Drawing.Course;
import dev.hapax.flows.graph.Drawing.Point;
import java.util.ArrayList;
import java.util.List;

/** Blocks below each other, and the paths back from an approval to an earlier block. */
final class Sequence implements Block {
  static final double GAP = 26;
  private static final double LANE = 18;

  /** A path from one block back to another, by their numbers. */
  record Back(int from, int to) {}

  private final List<Block> blocks;
  private final List<Back> backs;
  private final double left;
  private final double right;
  private final double height;

  Sequence(List<Block> blocks, List<Back> backs) {
    this.blocks = blocks;
    this.backs = backs;
    this.left = widest(blocks, true) + backs.size() * LANE;
    this.right = widest(blocks, false);
    this.height =
        blocks.stream().mapToDouble(Block::height).sum() + GAP * Math.max(0, blocks.size() - 1);
  }

  private static double widest(List<Block> blocks, boolean toTheLeft) {
    return blocks.stream()
        .mapToDouble(block -> toTheLeft ? block.left() : block.right())
        .max()
        .orElse(0);
  }

  @Override
  public double left() {
    return left;
  }

  @Override
  public double right() {
    return right;
  }

  @Override
  public double height() {
    return height;
  }

  @Override
  public boolean goesOn() {
    return blocks.isEmpty() || blocks.getLast().goesOn();
  }

  @Override
  public void draw(Drawing drawing, double x, double y) {
    double[] tops = new double[blocks.size()];
    double at = y;
    for (int i = 0; i < blocks.size(); i++) {
      tops[i] = at;
      Block block = blocks.get(i);
      block.draw(drawing, x, at);
      at += block.height();
      if (i + 1 < blocks.size()) {
        if (block.goesOn()) {
          drawing.line(Course.FORWARD, new Point(x, at), new Point(x, at + GAP));
        }
        at += GAP;
      }
    }
    double lane = x - widest(blocks, true);
    for (Back back : backs) {
      lane -= LANE;
      Block from = blocks.get(back.from());
      Block to = blocks.get(back.to());
      double low = tops[back.from()] + from.handleDown();
      double high = tops[back.to()] + to.handleDown();
      drawing.line(
          Course.BACK,
          new Point(x - from.handleLeft(), low),
          new Point(lane, low),
          new Point(lane, high),
          new Point(x - to.handleLeft(), high));
    }
  }

  @Override
  public Linked link(Chart chart, List<String> from) {
    var handles = new ArrayList<String>();
    List<String> ends = from;
    for (Block block : blocks) {
      Linked linked = block.link(chart, ends);
      handles.add(linked.handle());
      ends = linked.ends();
    }
    backs.forEach(
        back -> chart.edge(handles.get(back.from()), handles.get(back.to()), Course.BACK));
    return new Linked(handles.isEmpty() ? "" : handles.getFirst(), ends);
  }
}
