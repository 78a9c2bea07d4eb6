package dev.hapax.flows.file;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The type of a field's value; the reader and the JSON Schema are both built from it. */
sealed interface Type {
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

  /** HTTP status codes. */
  record Statuses() implements Type {}

  record Of(String shape) implements Type {}

  record ListOf(String shape) implements Type {}

  /** Names, each with a list of steps. */
  record Branches() implements Type {}

  record WordOr(List<String> words, String shape) implements Type {}

  record TemplatedOr(Place place, String shape) implements Type {}
}
