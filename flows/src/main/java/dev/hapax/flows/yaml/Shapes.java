package dev.hapax.flows.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The shapes of all mappings of a file, by name and in the order of the docs. */
public final class Shapes {
  private final Map<String, Shape> all = new LinkedHashMap<>();

  public Shapes(List<Shape> shapes) {
    for (Shape shape : shapes) {
      if (all.put(shape.name(), shape) != null) {
        throw new IllegalArgumentException("two shapes are named '%s'".formatted(shape.name()));
      }
    }
  }

  public Shape named(String name) {
    return Objects.requireNonNull(all.get(name), name);
  }

  public Iterable<Shape> all() {
    return all.values();
  }
}
