package dev.hapax.flows.yaml;

import dev.hapax.flows.expression.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a YAML document with its position. */
public sealed interface Node {
  Position position();

  /** Its name for people. */
  String kind();

  /** Returns the node as maps, lists and scalars. */
  @Nullable Object plain();

  record Entry(String key, Position position, Node value) {}

  record Mapping(Position position, List<Entry> entries) implements Node {
    @Override
    public String kind() {
      return "a mapping";
    }

    public @Nullable Node get(String key) {
      return entries.stream()
          .filter(entry -> entry.key().equals(key))
          .map(Entry::value)
          .findFirst()
          .orElse(null);
    }

    @Override
    public Object plain() {
      var map = new LinkedHashMap<String, @Nullable Object>();
      entries.forEach(entry -> map.put(entry.key(), entry.value().plain()));
      return map;
    }
  }

  record Sequence(Position position, List<Node> elements) implements Node {
    @Override
    public String kind() {
      return "a list";
    }

    @Override
    public Object plain() {
      var list = new ArrayList<@Nullable Object>();
      elements.forEach(element -> list.add(element.plain()));
      return list;
    }
  }

  /**
   * A text, number, boolean or null.
   *
   * @param value of its YAML type
   * @param textAt where its text begins, after a quote
   * @param oneLine whether its text appears unchanged in the file
   */
  record Scalar(
      Position position, String text, @Nullable Object value, Position textAt, boolean oneLine)
      implements Node {
    @Override
    public String kind() {
      return switch (value) {
        case null -> "nothing";
        case Boolean _ -> "a boolean";
        case Number _ -> "a number";
        default -> "a text";
      };
    }

    @Override
    public @Nullable Object plain() {
      return value;
    }
  }
}
