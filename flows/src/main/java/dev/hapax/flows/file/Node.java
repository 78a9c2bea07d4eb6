package dev.hapax.flows.file;

import dev.hapax.flows.expression.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of a YAML document with its place. */
sealed interface Node {
  Position position();

  /** What people call it. */
  String kind();

  /** The same as maps, lists and scalars. */
  @Nullable Object plain();

  record Entry(String key, Position position, Node value) {}

  record Mapping(Position position, List<Entry> entries) implements Node {
    @Override
    public String kind() {
      return "a mapping";
    }

    @Nullable Node get(String key) {
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
   * A text, number, truth value or null.
   *
   * @param value of its YAML type
   * @param textAt where its text begins, behind a quote
   * @param oneLine whether its text stands in the file as it is
   */
  record Scalar(
      Position position, String text, @Nullable Object value, Position textAt, boolean oneLine)
      implements Node {
    @Override
    public String kind() {
      return switch (value) {
        case null -> "nothing";
        case Boolean _ -> "a truth value";
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
