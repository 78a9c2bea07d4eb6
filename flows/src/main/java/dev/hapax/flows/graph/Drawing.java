package dev.hapax.flows.graph;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The contents of a picture and their places: filled by the blocks, written by {@link Svg}. */
final class Drawing {
  private final List<Shape> shapes = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();

  /** A rectangle of the picture. */
  record Area(double x, double y, double width, double height) {
    double right() {
      return x + width;
    }

    double bottom() {
      return y + height;
    }

    boolean overlaps(Area other) {
      return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }

    boolean holds(Area other) {
      return x <= other.x && y <= other.y && other.right() <= right() && other.bottom() <= bottom();
    }
  }

  /** The look of a shape; the words are classes in the SVG. */
  enum Look {
    START,
    END,
    TRIGGER,
    STEP,
    EFFECT,
    WAIT,
    ASK,
    CHILD,
    BRANCHES,
    FAIL,
    CONDITION,
    UNDO,
    LOOP,
    FORK
  }

  record Text(String content, TextStyle style, double x, double y, boolean centered) {}

  /**
   * A box with its texts.
   *
   * @param step null if it does not belong to a step
   * @param title the whole text, for tooltips and screen readers
   */
  record Shape(Look look, Area area, List<Text> texts, @Nullable String step, String title) {}

  record Point(double x, double y) {}

  /** The meaning of a line. */
  enum Course {
    FORWARD,
    JOINED,
    BACK,
    UNDO
  }

  record Line(Course course, List<Point> points) {}

  void add(Shape shape) {
    shapes.add(shape);
  }

  void line(Course course, Point... points) {
    lines.add(new Line(course, List.of(points)));
  }

  List<Shape> shapes() {
    return shapes;
  }

  List<Line> lines() {
    return lines;
  }
}
