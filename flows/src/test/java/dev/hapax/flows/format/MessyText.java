package dev.hapax.flows.format;

import dev.hapax.flows.file.FlowKeys;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Type;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Writes a flow as badly as YAML allows: any order of keys, any indentation, any quotes, lists and
 * mappings in brackets over several lines, and comments everywhere.
 */
final class MessyText {
  private final Random random;
  private final StringBuilder out = new StringBuilder();
  private int comments;

  private MessyText(long seed) {
    this.random = new Random(seed);
  }

  /** The text, and how many comments it has: {@code # c0} and so on. */
  record Result(String text, int comments) {}

  static Result of(Node root, long seed) {
    var messy = new MessyText(seed);
    messy.mapping((Node.Mapping) root, 0, FlowKeys.top(), "");
    messy.alone(messy.random.nextInt(6));
    return new Result(messy.out.toString(), messy.comments);
  }

  private void mapping(Node.Mapping mapping, int indent, @Nullable Type type, String begin) {
    String before = begin;
    for (Node.Entry entry : entries(mapping, type)) {
      if (before.isEmpty()) {
        between(indent);
        before = " ".repeat(indent);
      }
      out.append(before).append(key(entry.key())).append(':');
      before = "";
      value(entry.value(), indent, FlowKeys.member(type, entry.key()), true);
    }
  }

  private List<Node.Entry> entries(Node.Mapping mapping, @Nullable Type type) {
    var entries = new ArrayList<>(mapping.entries());
    if (FlowKeys.shape(type) != null) {
      Collections.shuffle(entries, random);
    }
    return entries;
  }

  private void value(Node value, int indent, @Nullable Type type, boolean inMapping) {
    switch (value) {
      case Node.Scalar scalar -> scalar(scalar, indent);
      case Node.Mapping mapping when mapping.entries().isEmpty() -> out.append(" {}").append(end());
      case Node.Sequence list when list.elements().isEmpty() -> out.append(" []").append(end());
      default -> {
        switch (random.nextInt(4)) {
          case 0 -> out.append(' ').append(flow(value, type, false, 0)).append(end());
          case 1 -> out.append(' ').append(flow(value, type, true, indent + 3)).append(end());
          default -> block(value, indent, type, inMapping);
        }
      }
    }
  }

  private void block(Node value, int indent, @Nullable Type type, boolean inMapping) {
    out.append(end());
    int deeper = indent + 1 + random.nextInt(4);
    if (value instanceof Node.Mapping mapping) {
      mapping(mapping, deeper, type, "");
    } else if (value instanceof Node.Sequence list) {
      int dash = inMapping && random.nextInt(3) == 0 ? indent : deeper;
      for (Node element : list.elements()) {
        between(dash);
        int gap = 1 + random.nextInt(3);
        out.append(" ".repeat(dash)).append('-');
        if (element instanceof Node.Mapping fields
            && !fields.entries().isEmpty()
            && random.nextBoolean()) {
          mapping(fields, dash + 1 + gap, FlowKeys.element(type), " ".repeat(gap));
        } else {
          value(element, dash, FlowKeys.element(type), false);
        }
      }
    }
  }

  private String flow(Node value, @Nullable Type type, boolean lines, int indent) {
    String separator = lines ? "\n" + " ".repeat(indent) : "";
    var text = new StringBuilder();
    switch (value) {
      case Node.Scalar scalar -> {
        return flowScalar(scalar);
      }
      case Node.Mapping mapping -> {
        text.append('{');
        boolean first = true;
        for (Node.Entry entry : entries(mapping, type)) {
          text.append(first ? "" : ",").append(lines && random.nextInt(3) == 0 ? comment() : "");
          text.append(separator).append(key(entry.key())).append(": ");
          Type inner = FlowKeys.member(type, entry.key());
          text.append(flow(entry.value(), inner, lines && random.nextBoolean(), indent + 1));
          first = false;
        }
        return text.append(separator).append('}').toString();
      }
      case Node.Sequence list -> {
        text.append('[');
        boolean first = true;
        for (Node element : list.elements()) {
          text.append(first ? "" : ",").append(lines && random.nextInt(3) == 0 ? comment() : "");
          text.append(separator).append(flow(element, FlowKeys.element(type), false, indent));
          first = false;
        }
        return text.append(separator).append(']').toString();
      }
    }
  }

  private void scalar(Node.Scalar scalar, int indent) {
    if (scalar.value() instanceof String text && random.nextInt(4) == 0 && canBeBlock(text)) {
      boolean ends = text.endsWith("\n");
      out.append(ends ? " |" : " |-").append(end());
      String spaces = " ".repeat(indent + 1 + random.nextInt(5));
      text.lines().forEach(line -> out.append(line.isEmpty() ? "" : spaces + line).append('\n'));
      return;
    }
    out.append(" ".repeat(1 + random.nextInt(3))).append(flowScalar(scalar)).append(end());
  }

  private static boolean canBeBlock(String text) {
    return !text.isBlank()
        && !text.startsWith(" ")
        && !text.startsWith("\n")
        && !text.endsWith("\n\n")
        && text.codePoints().allMatch(c -> c == '\n' || (c >= ' ' && c < 127));
  }

  private String flowScalar(Node.Scalar scalar) {
    if (!(scalar.value() instanceof String text)) {
      return scalar.text().isEmpty() ? "null" : scalar.text();
    }
    boolean simple = text.codePoints().allMatch(c -> c >= ' ' && c < 127);
    if (simple && random.nextBoolean()) {
      return "'" + text.replace("'", "''") + "'";
    }
    if (text.matches("[a-z]{4,12}") && !text.equals("true") && !text.equals("null")) {
      return text.equals("false") ? "'false'" : text;
    }
    return Json.write(text);
  }

  private String key(String key) {
    return key.matches("[A-Za-z][A-Za-z]*") && random.nextInt(4) > 0 ? key : Json.write(key);
  }

  /** The end of a line, with a comment now and then. */
  private String end() {
    return switch (random.nextInt(5)) {
      case 0 -> comment() + "\n";
      case 1 -> "   \n";
      default -> "\n";
    };
  }

  /** What may be between two lines: empty ones, and comments in any column. */
  private void between(int indent) {
    if (random.nextInt(5) == 0) {
      out.append("\n".repeat(1 + random.nextInt(3)));
    }
    if (random.nextInt(4) == 0) {
      alone(random.nextInt(indent + 6));
    }
  }

  private void alone(int column) {
    out.append(" ".repeat(column)).append(comment().strip()).append('\n');
    if (random.nextInt(4) == 0) {
      out.append('\n');
    }
  }

  private String comment() {
    return " ".repeat(1 + random.nextInt(30)) + "# c%d: {- 'a\" ${b} # x".formatted(comments++);
  }
}
