package dev.hapax.trial.cases;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must be true at the end of a case; null where the case says nothing.
 *
 * @param hasOutput whether the case says something about the output, which can be null
 */
public record Expectation(
    @Nullable String status,
    boolean hasOutput,
    @Nullable Object output,
    @Nullable String error,
    @Nullable String refused,
    @Nullable String outcome,
    @Nullable List<Send> sends,
    @Nullable Map<String, Integer> applied,
    @Nullable List<String> reviews,
    @Nullable List<String> history,
    @Nullable Integer duplicates) {
  /**
   * A request that is expected; null where the case says nothing.
   *
   * @param url the end of the address
   * @param body members that the body must have
   */
  public record Send(
      String step,
      @Nullable String item,
      @Nullable String key,
      @Nullable Integer applied,
      @Nullable String method,
      @Nullable String url,
      @Nullable Object body) {}
}
