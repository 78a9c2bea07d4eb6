package dev.hapax.flows.yaml;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The type of a field's value; the reader and the JSON Schema are both built from it. */
public sealed interface Type {
  /** A text without expressions, of the given form if there is one. */
  record Text(@Nullable String pattern, String example) implements Type {}

  /** One of several words. */
  record Words(List<String> words) implements Type {}

  /** A text that may contain expressions. */
  record Templated(Place place) implements Type {}

  /** A boolean, or an expression that gives one. */
  record Condition(Place place) implements Type {}

  record Time() implements Type {}

  record Whole(long least, long most) implements Type {}

  record Real(double least, double most) implements Type {}

  record Flag() implements Type {}

  /** Any value; its texts may contain expressions. */
  record Value(Place place) implements Type {}

  /** A mapping of any values; its texts may contain expressions. */
  record Members(Place place) implements Type {}

  /** A JSON Schema. */
  record Schema() implements Type {}

  record Texts() implements Type {}

  /** A list of texts of one form, no two of them equal. */
  record DistinctTexts(Text each, int most) implements Type {}

  /** HTTP status codes. */
  record Statuses() implements Type {}

  record Of(String shape) implements Type {}

  record ListOf(String shape) implements Type {}

  /** Names, each with a list. */
  record Branches(String shape) implements Type {}

  record WordOr(List<String> words, String shape) implements Type {}

  record TemplatedOr(Place place, String shape) implements Type {}

  /** Any value, in which nothing is an expression; read as its node. */
  record Plain() implements Type {}

  /** Names, each with a value of a type; read as fields. */
  record Named(Type each) implements Type {}

  /** A mapping of a shape, or a list of such mappings, which may be empty. */
  record OneOrMany(String shape) implements Type {}
}
