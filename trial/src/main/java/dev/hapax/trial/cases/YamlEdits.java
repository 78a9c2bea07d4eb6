package dev.hapax.trial.cases;

import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Changes of values in a file of cases that leave every other character as it is. */
final class YamlEdits {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
  private static final Set<String> WORDS =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

  private final String text;
  private final List<MappingNode> cases = new ArrayList<>();
  private final List<Edit> edits = new ArrayList<>();

  /** Replaces the characters from one index to another. */
  private record Edit(int from, int to, String by) {}

  YamlEdits(String file, String text) {
    this.text = text;
    LoadSettings settings = LoadSettings.builder().setLabel(file).setUseMarks(true).build();
    new Compose(settings)
        .composeString(text)
        .filter(MappingNode.class::isInstance)
        .map(root -> valueOf((MappingNode) root, "cases"))
        .filter(SequenceNode.class::isInstance)
        .ifPresent(
            all ->
                ((SequenceNode) all)
                    .getValue().stream()
                        .filter(MappingNode.class::isInstance)
                        .map(MappingNode.class::cast)
                        .forEach(cases::add));
  }

  /** Replaces a value two levels below a case. */
  void replace(int number, String outer, String name, @Nullable Object value) {
    if (!(valueOf(cases.get(number), outer) instanceof MappingNode mapping)) {
      return;
    }
    Node before = valueOf(mapping, name);
    if (before == null) {
      return;
    }
    int from = start(before);
    int to = end(before);
    boolean isBlock =
        before instanceof CollectionNode<?> some && some.getFlowStyle() == FlowStyle.BLOCK;
    if (isBlock && value instanceof List<?> list && !list.isEmpty()) {
      edits.add(new Edit(from, to, block(list, column(from))));
    } else if (isBlock) { // its first character is on a line of its own
      int colon = text.lastIndexOf(':', from);
      edits.add(new Edit(colon + 1, to, " " + flow(value)));
    } else {
      edits.add(new Edit(from, to, flow(value)));
    }
  }

  /** Adds a mapping to a case. */
  void add(int number, String name, Map<String, @Nullable Object> values) {
    MappingNode mapping = cases.get(number);
    if (mapping.getFlowStyle() == FlowStyle.FLOW) {
      edits.add(new Edit(end(mapping) - 1, end(mapping) - 1, ", " + name + ": " + flow(values)));
      return;
    }
    String indent = " ".repeat(column(start(mapping)));
    var added = new StringBuilder("\n" + indent + name + ":");
    values.forEach(
        (member, value) -> {
          added.append("\n").append(indent).append("  ").append(member).append(":");
          if (value instanceof List<?> list && !list.isEmpty()) {
            int column = indent.length() + 4;
            added.append("\n").append(" ".repeat(column)).append(block(list, column));
          } else {
            added.append(" ").append(flow(value));
          }
        });
    int at = endOfLine(end(mapping));
    edits.add(new Edit(at, at, added.toString()));
  }

  /** A comment behind the last value stays behind it. */
  private int endOfLine(int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  String text() {
    var changed = new StringBuilder(text);
    edits.stream()
        .sorted(Comparator.comparingInt(Edit::from).reversed())
        .forEach(edit -> changed.replace(edit.from(), edit.to(), edit.by()));
    return changed.toString();
  }

  // ---- places

  private static @Nullable Node valueOf(MappingNode mapping, String name) {
    for (NodeTuple tuple : mapping.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name)) {
        return tuple.getValueNode();
      }
    }
    return null;
  }

  /** Marks count code points. */
  private int index(int points) {
    return text.offsetByCodePoints(0, points);
  }

  private int start(Node node) {
    return index(node.getStartMark().orElseThrow().getIndex());
  }

  private int column(int index) {
    return index - (text.lastIndexOf('\n', index - 1) + 1);
  }

  /** The end of its last character; the mark of a block is at the beginning of what follows. */
  private int end(Node node) {
    if (node instanceof CollectionNode<?> some
        && some.getFlowStyle() == FlowStyle.BLOCK
        && !some.getValue().isEmpty()) {
      Object last = some.getValue().getLast();
      return end(last instanceof NodeTuple tuple ? tuple.getValueNode() : (Node) last);
    }
    int end = index(node.getEndMark().orElseThrow().getIndex());
    while (end > start(node) && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  // ---- values

  private static String block(List<?> list, int column) {
    return list.stream()
        .map(one -> "- " + flow(one))
        .collect(Collectors.joining("\n" + " ".repeat(column)));
  }

  private static String flow(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(
                  member ->
                      scalar(String.valueOf(member.getKey())) + ": " + flow(member.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case List<?> list ->
          list.stream().map(YamlEdits::flow).collect(Collectors.joining(", ", "[", "]"));
      case String word -> scalar(word);
      default -> Json.write(value);
    };
  }

  private static String scalar(String word) {
    boolean isPlain =
        PLAIN.matcher(word).matches() && !WORDS.contains(word.toLowerCase(Locale.ROOT));
    return isPlain ? word : Json.write(word);
  }
}
