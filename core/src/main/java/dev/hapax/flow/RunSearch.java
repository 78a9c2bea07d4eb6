package dev.hapax.flow;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a list of runs is searched for; null or empty does not filter.
 *
 * @param flows only runs of one of these flows
 * @param fields only runs whose searchable fields have these values
 * @param anyField only runs that have such a value in any searchable field
 * @param key only runs with such a key
 * @param retryable whether another try without a change could succeed; false unless it failed
 * @param error only runs that failed with this code
 * @param duplicates whether only runs that have stopped a duplicate are wanted
 */
public record RunSearch(
    Set<String> flows,
    Map<String, String> fields,
    @Nullable TextMatch anyField,
    @Nullable TextMatch key,
    @Nullable Boolean retryable,
    @Nullable String error,
    boolean duplicates) {
  public static final RunSearch NONE =
      new RunSearch(Set.of(), Map.of(), null, null, null, null, false);

  public RunSearch {
    flows = Set.copyOf(flows);
    fields = Map.copyOf(fields);
  }

  public RunSearch flows(Set<String> names) {
    return new RunSearch(names, fields, anyField, key, retryable, error, duplicates);
  }

  public RunSearch fields(Map<String, String> values) {
    return new RunSearch(flows, values, anyField, key, retryable, error, duplicates);
  }

  public RunSearch anyField(TextMatch value) {
    return new RunSearch(flows, fields, value, key, retryable, error, duplicates);
  }

  public RunSearch key(@Nullable TextMatch business) {
    return new RunSearch(flows, fields, anyField, business, retryable, error, duplicates);
  }

  public RunSearch retryable(@Nullable Boolean wanted) {
    return new RunSearch(flows, fields, anyField, key, wanted, error, duplicates);
  }

  public RunSearch error(@Nullable String code) {
    return new RunSearch(flows, fields, anyField, key, retryable, code, duplicates);
  }

  public RunSearch duplicates(boolean only) {
    return new RunSearch(flows, fields, anyField, key, retryable, error, only);
  }

  /** Whether the search index leads to the runs. */
  public boolean isIndexed() {
    return !flows.isEmpty() || !fields.isEmpty() || anyField != null || key != null;
  }

  public boolean admits(Run run) {
    Failure failure = run.error();
    return (flows.isEmpty() || flows.contains(run.flow()))
        && run.search().hold(fields)
        && (anyField == null || run.search().values().values().stream().anyMatch(anyField::admits))
        && (key == null || key.admits(run.key()))
        && (retryable == null || retryable == (failure != null && failure.retryable()))
        && (error == null || (failure != null && failure.code().equals(error)))
        && (!duplicates || run.duplicates() > 0);
  }
}
