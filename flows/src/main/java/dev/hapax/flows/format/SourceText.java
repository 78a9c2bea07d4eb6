package dev.hapax.flows.format;

import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** The characters of a YAML text, counted as the parser counts them: in code points. */
final class SourceText {
  private final int[] points;
  private final List<Boolean> blankLines = new ArrayList<>();

  /** Where scalars are: a {@code #} inside of them is no comment. */
  private final List<Span> scalars = new ArrayList<>();

  private record Span(int begin, int end) {}

  SourceText(String text) {
    this.points = text.codePoints().toArray();
    text.lines().forEach(line -> blankLines.add(line.isBlank()));
  }

  static Mark start(Event event) {
    return event.getStartMark().orElseThrow();
  }

  static Mark end(Event event) {
    return event.getEndMark().orElseThrow();
  }

  String cut(Event event) {
    return cut(start(event).getIndex(), end(event).getIndex());
  }

  private String cut(int begin, int end) {
    return new String(points, begin, Math.max(0, end - begin));
  }

  void markScalar(Event event) {
    scalars.add(new Span(start(event).getIndex(), end(event).getIndex()));
  }

  boolean isBlankAbove(int line) {
    return line > 0 && line - 1 < blankLines.size() && blankLines.get(line - 1);
  }

  /** Returns the comments outside of the scalars, in their order. */
  List<Comment> comments() {
    var comments = new ArrayList<Comment>();
    int next = 0;
    int line = 0;
    int lineBegin = 0;
    boolean alone = true;
    for (int at = 0; at < points.length; at++) {
      while (next < scalars.size() && scalars.get(next).end() <= at) {
        next++;
      }
      boolean inScalar = next < scalars.size() && scalars.get(next).begin() <= at;
      int point = points[at];
      if (point == '\n') {
        line++;
        lineBegin = at + 1;
        alone = true;
      } else if (!inScalar && point == '#' && (at == lineBegin || isSpace(points[at - 1]))) {
        int end = at;
        while (end < points.length && points[end] != '\n') {
          end++;
        }
        boolean blank = alone && isBlankAbove(line);
        String text = cut(at, end).stripTrailing();
        comments.add(new Comment(at, line, at - lineBegin, text, alone, blank));
        at = end - 1;
      } else if (!isSpace(point)) {
        alone = false;
      }
    }
    return comments;
  }

  /** Returns where the space before the comment of a text block is; -1 if it has none. */
  static int headerComment(String header) {
    int at = header.indexOf(" #");
    return at < 0 ? header.indexOf("\t#") : at;
  }

  private static boolean isSpace(int point) {
    return point == ' ' || point == '\t';
  }
}
