package dev.hapax.flows.graph;

import dev.hapax.flows.graph.Drawing.Course;
import dev.hapax.flows.graph.Drawing.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The boxes of a picture and the lines between them, without places; written as Mermaid. */
final class Chart {
  /** Nodes come before edges: an edge inside of a frame would pull both its ends into it. */
  private final StringBuilder nodes = new StringBuilder();

  private final List<String> edges = new ArrayList<>();
  private String indent = "  ";
  private int count;

  /** Returns the id of the new node; ids are ours, so that no name of a file can be one. */
  String node(Look look, String title) {
    String id = "n" + ++count;
    nodes.append(indent).append(id).append(shaped(look, label(title))).append('\n');
    return id;
  }

  void edge(String from, String to, Course course) {
    String arrow =
        switch (course) {
          case FORWARD, JOINED -> "-->";
          case BACK -> "-. rework .->";
          case UNDO -> "-. undo .-";
        };
    edges.add("  %s %s %s".formatted(from, arrow, to));
  }

  /** Puts a frame around all nodes that are added meanwhile. */
  <T> T frame(String title, Supplier<T> inner) {
    String outside = indent;
    nodes.append(outside).append("subgraph f%d[\"%s\"]\n".formatted(++count, label(title)));
    indent += "  ";
    T result = inner.get();
    indent = outside;
    nodes.append(outside).append("end\n");
    return result;
  }

  String mermaid() {
    return "flowchart TD\n"
        + nodes
        + edges.stream().map(edge -> edge + "\n").collect(Collectors.joining());
  }

  private static String shaped(Look look, String label) {
    String form =
        switch (look) {
          case START, END -> "([\"%s\"])";
          case TRIGGER, UNDO -> "[/\"%s\"/]";
          case WAIT, CONDITION -> "(\"%s\")";
          case ASK -> "{{\"%s\"}}";
          case CHILD -> "[[\"%s\"]]";
          case BRANCHES -> "{\"%s\"}";
          case FAIL -> "[\\\"%s\"\\]";
          case STEP, EFFECT, LOOP, FORK -> "[\"%s\"]";
        };
    return form.formatted(label);
  }

  private static String label(String title) {
    return title.lines().map(Chart::escaped).collect(Collectors.joining("<br/>"));
  }

  /**
   * Writes all but letters, digits and harmless signs as numbers: a name cannot end the text, open
   * a tag, or be read as Markdown or as a style.
   */
  private static String escaped(String line) {
    var text = new StringBuilder();
    boolean digits = true;
    for (int point : line.codePoints().toArray()) {
      boolean isDigit = point >= '0' && point <= '9';
      boolean isFirst = text.isEmpty();
      boolean isPlain =
          Character.isLetterOrDigit(point)
              || (!isFirst && !digits && " .,_/=()'!?+-".indexOf(point) >= 0)
              || (!isFirst && point == ' ');
      digits = digits && isDigit;
      if (isPlain) {
        text.appendCodePoint(point);
      } else if (isShown(point)) {
        text.append('#').append(point).append(';');
      }
    }
    return text.toString();
  }

  private static boolean isShown(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED -> false;
      default -> true;
    };
  }
}
