package dev.hapax.flows.file;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the value of a field may be; the reader and the JSON Schema are both made from it. */
sealed interface Type {
  /** A text without expressions, of a form if one is given. */
  record Text(@Nullable String pattern, String example) implements Type {}

  /** One of some words. */
  record Words(List<String> words) implements Type {}

  /** A text that may hold expressions. */
  record Templated(Place place) implements Type {}

  /** A truth value, or an expression that gives one. */
  record Condition(Place place) implements Type {}

  record Time() implements Type {}

  record Whole(long least, long most) implements Type {}

  record Real(double least, double most) implements Type {}

  record Flag() implements Type {}

  /** Anything; its texts may hold expressions. */
  record Value(Place place) implements Type {}

  /** A mapping of anything; its texts may hold expressions. */
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
