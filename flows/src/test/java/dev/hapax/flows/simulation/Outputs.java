package dev.hapax.flows.simulation;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares the outputs of a run with what the model says about them. */
final class Outputs {
  private Outputs() {}

  /** Whether the items of a loop are what the model says; none if the loop did not run. */
  static boolean areItems(@Nullable Object expected, @Nullable Object items) {
    if (!(items instanceof List<?> seen)) {
      return false;
    }
    if (!(expected instanceof FileModel.Looped(_, var ends))) {
      return seen.isEmpty();
    }
    if (seen.size() != ends.size()) {
      return false;
    }
    for (int i = 0; i < ends.size(); i++) {
      FileModel.ItemEnd end = ends.get(i);
      boolean isRight =
          seen.get(i) instanceof Map<?, ?> item
              && end.key().equals(item.get("key"))
              && (end.isFailed() ? "failed" : "succeeded").equals(item.get("status"))
              && end.isFailed() == (item.get("error") != null)
              && (end.isFailed()
                  ? item.get("output") == null
                  : isEqual(end.output(), item.get("output")));
      if (!isRight) {
        return false;
      }
    }
    return true;
  }

  /** Whether what others see of a step is what the model says. */
  static boolean isLike(@Nullable Object expected, @Nullable Object step) {
    if (expected instanceof FileModel.Exactly(var text)) {
      return text.equals(step);
    }
    if (expected instanceof FileModel.Facts) {
      return isEqual(expected, step);
    }
    if (!(step instanceof Map<?, ?> seen)) {
      return false;
    }
    return expected instanceof FileModel.PassedOver
        ? seen.get("error") != null
        : seen.get("error") == null && isEqual(expected, seen.get("output"));
  }

  private static boolean isEqual(@Nullable Object expected, @Nullable Object found) {
    if (expected instanceof FileModel.Carried(var canonical)) {
      return HostileValues.canonical(found).equals(canonical);
    }
    if (expected instanceof FileModel.Exactly(var text)) {
      return text.equals(found);
    }
    if (expected instanceof FileModel.Facts(var stale, var reused, var isFound, var externalId)) {
      return found instanceof Map<?, ?> facts
          && Objects.equals(stale, facts.get("stale"))
          && Objects.equals(reused, facts.get("reused"))
          && (isFound == null || isFound.equals(facts.get("found")))
          && Objects.equals(externalId, facts.get("externalId"));
    }
    if (expected instanceof FileModel.Looped(var counts, _)) {
      return isEqual(counts, found);
    }
    if (FileModel.ANYTHING.equals(expected) || Objects.equals(expected, found)) {
      return true;
    }
    if (!(found instanceof Map<?, ?> map)) {
      return false;
    }
    if (map.containsKey("body")) {
      return isEqual(expected, map.get("body"));
    }
    if (map.containsKey("decision")) {
      return isEqual(expected, map.get("decision"));
    }
    if (map.containsKey("written")) {
      return isEqual(expected, map.get("value"));
    }
    if (!(expected instanceof Map<?, ?> wanted)) {
      return false;
    }
    return wanted.entrySet().stream()
        .allMatch(
            one ->
                (!(one.getValue() instanceof FileModel.Carried)
                        && map.get(one.getKey()) instanceof Map<?, ?> step
                        && step.containsKey("error"))
                    ? isLike(one.getValue(), step)
                    : isEqual(one.getValue(), map.get(one.getKey())));
  }
}
