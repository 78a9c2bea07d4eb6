package dev.hapax.flows.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a flow file: its fields, which of them are required, and of which exactly one is.
 *
 * @param what its name in messages
 * @param alternatives exactly one of these; empty if there is no such rule
 */
record Shape(String name, String what, Map<String, Field> fields, List<String> alternatives) {

  /** A field of a mapping; its doc appears in the JSON Schema and in the docs. */
  record Field(String name, Type type, boolean required, String doc) {}

  static Builder of(String name, String what) {
    return new Builder(name, what);
  }

  @Nullable Field field(String name) {
    return fields.get(name);
  }

  static final class Builder {
    private final String name;
    private final String what;
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final List<String> alternatives = new ArrayList<>();

    private Builder(String name, String what) {
      this.name = name;
      this.what = what;
    }

    Builder must(String field, Type type, String doc) {
      fields.put(field, new Field(field, type, true, doc));
      return this;
    }

    Builder may(String field, Type type, String doc) {
      fields.put(field, new Field(field, type, false, doc));
      return this;
    }

    /** Adds one of the fields of which exactly one is required. */
    Builder either(String field, Type type, String doc) {
      alternatives.add(field);
      return may(field, type, doc);
    }

    Shape build() {
      return new Shape(name, what, fields, List.copyOf(alternatives));
    }
  }
}
