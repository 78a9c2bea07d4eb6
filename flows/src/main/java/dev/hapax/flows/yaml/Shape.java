package dev.hapax.flows.yaml;

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
 * @param several the problem of a mapping with more than one of them
 * @param isPart whether a list can be used without an entry of this shape that has problems
 * @param instead a further alternative: a field that has this member; null if there is none
 */
public record Shape(
    String name,
    String what,
    Map<String, Field> fields,
    List<String> alternatives,
    Several several,
    boolean isPart,
    @Nullable Instead instead) {

  /** A field of a mapping; its doc appears in the JSON Schema and in the docs. */
  public record Field(String name, Type type, boolean required, String doc) {}

  /** The rule that a mapping with several alternatives breaks, and what to do. */
  public record Several(String rule, String fix) {}

  /** A field whose mapping takes the place of the alternatives if it has this member. */
  public record Instead(String field, String member) {
    @Override
    public String toString() {
      return field + " with " + member;
    }
  }

  public static Builder of(String name, String what) {
    return new Builder(name, what);
  }

  public @Nullable Field field(String name) {
    return fields.get(name);
  }

  /** Declares the fields of a shape, in the order of the docs. */
  public static final class Builder {
    private final String name;
    private final String what;
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final List<String> alternatives = new ArrayList<>();
    private Several several = new Several(FileProblem.SCHEMA, "Remove all but one.");
    private boolean isPart;
    private @Nullable Instead instead;

    private Builder(String name, String what) {
      this.name = name;
      this.what = what;
    }

    public Builder must(String field, Type type, String doc) {
      fields.put(field, new Field(field, type, true, doc));
      return this;
    }

    public Builder may(String field, Type type, String doc) {
      fields.put(field, new Field(field, type, false, doc));
      return this;
    }

    /** Adds one of the fields of which exactly one is required. */
    public Builder either(String field, Type type, String doc) {
      alternatives.add(field);
      return may(field, type, doc);
    }

    public Builder several(String rule, String fix) {
      several = new Several(rule, fix);
      return this;
    }

    /** Lets the rest of a list be used if an entry has problems. */
    public Builder part() {
      isPart = true;
      return this;
    }

    /** Lets a mapping do without the alternatives if this field has this member. */
    public Builder orInside(String field, String member) {
      instead = new Instead(field, member);
      return this;
    }

    public Shape build() {
      return new Shape(name, what, fields, List.copyOf(alternatives), several, isPart, instead);
    }
  }
}
