package dev.hapax.flows.graph;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.graph.Drawing.Area;
import dev.hapax.flows.graph.Drawing.Point;
import dev.hapax.flows.step.FlowStep;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes a drawing as SVG. */
final class Svg {
  private static final double CORNER = 7;

  /** Every rule begins with our class, so that a page around the picture keeps its own look. */
  private static final String STYLE =
      """
      .hapax-flow text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#1f2328}
      .hapax-flow .name{font-size:14px;font-weight:600}
      .hapax-flow .detail{font-size:12px;fill:#424a53}
      .hapax-flow .note{font-size:11px;fill:#59636e}
      .hapax-flow .paper{fill:#ffffff}
      .hapax-flow .shape{fill:#f6f8fa;stroke:#8c959f;stroke-width:1.2}
      .hapax-flow .effect .shape{fill:#e9f2fd;stroke:#3b82c4}
      .hapax-flow .start .shape,.hapax-flow .end .shape{fill:#eceff2}
      .hapax-flow .wait .shape{fill:#fff8e5;stroke:#b58a1b}
      .hapax-flow .ask .shape{fill:#f4eefc;stroke:#8250c4}
      .hapax-flow .fail .shape{fill:#ffefee;stroke:#cf3a32}
      .hapax-flow .child .shape{fill:#eaf7ee;stroke:#2f8f4e}
      .hapax-flow .condition .shape{fill:#ffffff;stroke:#c4ccd4}
      .hapax-flow .trigger .shape{fill:#ffffff;stroke-dasharray:2 2}
      .hapax-flow .undo .shape{fill:none;stroke:#afb8c1;stroke-dasharray:4 3}
      .hapax-flow .undo text{fill:#818b98}
      .hapax-flow .loop .shape{fill:#7d8590;fill-opacity:.06;stroke:#8c959f;stroke-dasharray:6 4}
      .hapax-flow .fork .shape{fill:#59636e;stroke:none}
      .hapax-flow .sign{fill:none;stroke:#59636e;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round}
      .hapax-flow .line{fill:none;stroke:#8c959f;stroke-width:1.4}
      .hapax-flow .line.back{stroke:#8250c4;stroke-dasharray:5 3}
      .hapax-flow .line.undo{stroke:#afb8c1;stroke-dasharray:4 3}
      .hapax-flow .head{fill:#8c959f}
      .hapax-flow .head.back{fill:#8250c4}
      @media (prefers-color-scheme:dark){
      .hapax-flow text{fill:#e6edf3}
      .hapax-flow .detail{fill:#c3ccd5}
      .hapax-flow .note{fill:#9ea7b1}
      .hapax-flow .paper{fill:#0d1117}
      .hapax-flow .shape{fill:#161b22;stroke:#6e7681}
      .hapax-flow .effect .shape{fill:#10233a;stroke:#4a94dd}
      .hapax-flow .start .shape,.hapax-flow .end .shape{fill:#21262d}
      .hapax-flow .wait .shape{fill:#2a220d;stroke:#c69a2e}
      .hapax-flow .ask .shape{fill:#231a33;stroke:#a371f7}
      .hapax-flow .fail .shape{fill:#33191a;stroke:#f0625a}
      .hapax-flow .child .shape{fill:#10271a;stroke:#3fa45f}
      .hapax-flow .condition .shape{fill:#0d1117;stroke:#3d444d}
      .hapax-flow .trigger .shape{fill:#0d1117}
      .hapax-flow .undo .shape{fill:none;stroke:#565d66}
      .hapax-flow .undo text{fill:#7d8590}
      .hapax-flow .loop .shape{fill:#7d8590;fill-opacity:.1}
      .hapax-flow .fork .shape{fill:#9ea7b1}
      .hapax-flow .sign{stroke:#9ea7b1}
      .hapax-flow .line{stroke:#6e7681}
      .hapax-flow .line.back{stroke:#a371f7}
      .hapax-flow .line.undo{stroke:#565d66}
      .hapax-flow .head{fill:#6e7681}
      .hapax-flow .head.back{fill:#a371f7}
      }
      """;

  private final FlowFile flow;
  private final Drawing drawing;
  private final double width;
  private final double height;
  private final StringBuilder out = new StringBuilder();

  Svg(FlowFile flow, Drawing drawing, double width, double height) {
    this.flow = flow;
    this.drawing = drawing;
    this.width = width;
    this.height = height;
  }

  String text() {
    String id = "hapax-" + flow.name().replaceAll("[^A-Za-z0-9_-]", "-");
    write(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"hapax-flow\" role=\"img\" aria-labelledby=\"%1$s-title %1$s-desc\" width=\"%2$s\" height=\"%3$s\" viewBox=\"0 0 %2$s %3$s\">"
            .formatted(id, number(width), number(height)));
    write("<title id=\"%s-title\">Flow %s</title>".formatted(id, escaped(flow.name())));
    write("<desc id=\"%s-desc\">%s</desc>".formatted(id, escaped(description())));
    out.append("<style>\n").append(STYLE).append("</style>\n");
    write(
        "<rect class=\"paper\" width=\"%s\" height=\"%s\" rx=\"8\"/>"
            .formatted(number(width), number(height)));
    drawing.shapes().stream()
        .filter(shape -> shape.look() == Drawing.Look.LOOP)
        .forEach(this::shape);
    drawing.lines().forEach(this::line);
    drawing.shapes().stream()
        .filter(shape -> shape.look() != Drawing.Look.LOOP)
        .forEach(this::shape);
    out.append("</svg>\n");
    return out.toString();
  }

  private String description() {
    var text = new StringBuilder();
    if (flow.description() != null) {
      text.append(flow.description()).append('\n');
    }
    text.append("Steps:");
    for (FlowStep step : flow.allSteps()) {
      Template when = step.when();
      text.append("\n%s: %s".formatted(step.id(), step.kind().description()));
      if (when != null) {
        text.append(", only if ").append(when.plain());
      }
    }
    return text.toString();
  }

  private void shape(Drawing.Shape shape) {
    String step = shape.step();
    write(
        "<g class=\"%s\"%s>"
            .formatted(
                shape.look().name().toLowerCase(Locale.ROOT),
                step == null ? "" : " data-step=\"" + escaped(step) + "\""));
    if (!shape.title().isEmpty()) {
      write("<title>%s</title>".formatted(escaped(shape.title())));
    }
    Area area = shape.area();
    switch (shape.look()) {
      case BRANCHES -> hexagon(area);
      case CHILD -> {
        rectangle(area, CORNER);
        rectangle(
            new Area(area.x() + 3, area.y() + 3, area.width() - 6, area.height() - 6), CORNER - 3);
      }
      case WAIT, ASK, START, END -> rectangle(area, Math.min(22, area.height() / 2));
      case CONDITION -> rectangle(area, area.height() / 2);
      case FORK -> rectangle(area, 2);
      default -> rectangle(area, CORNER);
    }
    String sign = Signs.of(shape.look());
    if (sign != null) {
      sign(sign, area, shape.look());
    }
    shape.texts().forEach(this::text);
    out.append("</g>\n");
  }

  private void sign(String path, Area area, Drawing.Look look) {
    double y = look == Drawing.Look.LOOP ? area.y() + 15 : area.y() + area.height() / 2;
    write(
        "<path class=\"sign\" transform=\"translate(%s %s)\" d=\"%s\"/>"
            .formatted(number(area.x() + 19), number(y), path));
  }

  private void rectangle(Area area, double corner) {
    write(
        "<rect class=\"shape\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\"/>"
            .formatted(
                number(area.x()),
                number(area.y()),
                number(area.width()),
                number(area.height()),
                number(corner)));
  }

  private void hexagon(Area area) {
    double cut = 12;
    double middle = area.y() + area.height() / 2;
    write(
        "<path class=\"shape\" d=\"M%s %sH%sL%s %sL%s %sH%sL%s %sZ\"/>"
            .formatted(
                number(area.x() + cut),
                number(area.y()),
                number(area.right() - cut),
                number(area.right()),
                number(middle),
                number(area.right() - cut),
                number(area.bottom()),
                number(area.x() + cut),
                number(area.x()),
                number(middle)));
  }

  private void text(Drawing.Text text) {
    write(
        "<text class=\"%s\" x=\"%s\" y=\"%s\"%s>%s</text>"
            .formatted(
                text.style().word(),
                number(text.x()),
                number(text.y()),
                text.centered() ? " text-anchor=\"middle\"" : "",
                escaped(text.content())));
  }

  private void line(Drawing.Line line) {
    String course = line.course().name().toLowerCase(Locale.ROOT);
    write("<path class=\"line %s\" d=\"%s\"/>".formatted(course, path(line.points())));
    if (line.course() == Drawing.Course.FORWARD || line.course() == Drawing.Course.BACK) {
      head(line.points(), course);
    }
  }

  /** Rounds corners as far as the distance to the next one allows. */
  private static String path(List<Point> points) {
    var path =
        new StringBuilder(
            "M%s %s".formatted(number(points.getFirst().x()), number(points.getFirst().y())));
    for (int i = 1; i < points.size() - 1; i++) {
      Point corner = points.get(i);
      Point before = towards(corner, points.get(i - 1));
      Point after = towards(corner, points.get(i + 1));
      path.append(
          "L%s %sQ%s %s %s %s"
              .formatted(
                  number(before.x()),
                  number(before.y()),
                  number(corner.x()),
                  number(corner.y()),
                  number(after.x()),
                  number(after.y())));
    }
    path.append("L%s %s".formatted(number(points.getLast().x()), number(points.getLast().y())));
    return path.toString();
  }

  private static Point towards(Point from, Point to) {
    double length = Math.hypot(to.x() - from.x(), to.y() - from.y());
    double part = length == 0 ? 0 : Math.min(6, length / 2) / length;
    return new Point(from.x() + (to.x() - from.x()) * part, from.y() + (to.y() - from.y()) * part);
  }

  private void head(List<Point> points, String course) {
    Point end = points.getLast();
    Point before = points.get(points.size() - 2);
    double length = Math.max(1, Math.hypot(end.x() - before.x(), end.y() - before.y()));
    double x = (end.x() - before.x()) / length;
    double y = (end.y() - before.y()) / length;
    write(
        "<path class=\"head %s\" d=\"M%s %sL%s %sL%s %sZ\"/>"
            .formatted(
                course,
                number(end.x()),
                number(end.y()),
                number(end.x() - 8 * x - 4 * y),
                number(end.y() - 8 * y + 4 * x),
                number(end.x() - 8 * x + 4 * y),
                number(end.y() - 8 * y - 4 * x)));
  }

  private void write(String line) {
    out.append(line).append('\n');
  }

  /** At most one digit after the point, in every locale. */
  private static String number(double value) {
    long tenths = Math.round(value * 10);
    return tenths % 10 == 0
        ? Long.toString(tenths / 10)
        : String.format(Locale.ROOT, "%.1f", tenths / 10.0);
  }

  static String escaped(@Nullable String text) {
    if (text == null) {
      return "";
    }
    var safe = new StringBuilder();
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\n', '\t' -> safe.appendCodePoint(point);
                default -> safe.appendCodePoint(isXml(point) ? point : 0xFFFD);
              }
            });
    return safe.toString();
  }

  /** Whether XML 1.0 allows the character in a document. */
  private static boolean isXml(int point) {
    return (point >= 0x20 && point <= 0xD7FF)
        || (point >= 0xE000 && point <= 0xFFFD)
        || point >= 0x10000;
  }
}
