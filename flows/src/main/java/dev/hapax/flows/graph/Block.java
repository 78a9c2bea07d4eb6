package dev.hapax.flows.graph;

import java.util.List;

/**
 * A part of a picture that knows its size before it is placed. The path through the flow enters it
 * at the top and leaves it at the bottom, both on its axis.
 */
interface Block {
  /** From the left end to the axis. */
  double left();

  /** From the axis to the right end. */
  double right();

  double height();

  /** Whether the next block is reached from here. */
  default boolean goesOn() {
    return true;
  }

  /** Where a path back leaves or arrives, measured from the top. */
  default double handleDown() {
    return height() / 2;
  }

  /** The same, measured to the left of the axis. */
  default double handleLeft() {
    return left();
  }

  /** Draws the block with its axis at x and its top at y. */
  void draw(Drawing drawing, double x, double y);

  /**
   * Adds the block to a chart.
   *
   * @param from the nodes that lead to it
   */
  Linked link(Chart chart, List<String> from);

  /**
   * A block in a chart.
   *
   * @param handle the node at which a path back leaves or arrives
   * @param ends the nodes that lead on; none if the path ends here
   */
  record Linked(String handle, List<String> ends) {}
}
