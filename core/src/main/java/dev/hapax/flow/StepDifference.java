package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a step of another release differs from that of the run's own.
 *
 * @param step null if nothing is known about any step
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StepDifference(@Nullable String step, Change change) {

  /** What became of the step. */
  public enum Change {
    ADDED,
    REMOVED,
    CHANGED,
    /** At least one of the releases is code in Java, whose steps cannot be compared. */
    UNKNOWN;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A body that can say what its steps are. The interpreter of flow files does. */
  public interface Defined {
    /** A digest of the definition of each step by its name, in their order. */
    Map<String, String> definitions();
  }

  /**
   * Compares two releases step by step, in the order of the newer code.
   *
   * @param own the code that the run is on; null if it is not registered here
   */
  public static List<StepDifference> between(@Nullable Flow<?, ?> own, Flow<?, ?> other) {
    if (own == null
        || !(own.body() instanceof Defined before)
        || !(other.body() instanceof Defined after)) {
      return List.of(new StepDifference(null, Change.UNKNOWN));
    }
    Map<String, String> was = before.definitions();
    Map<String, String> is = after.definitions();
    var differences = new ArrayList<StepDifference>();
    is.forEach(
        (step, definition) -> {
          String known = was.get(step);
          if (known == null) {
            differences.add(new StepDifference(step, Change.ADDED));
          } else if (!known.equals(definition)) {
            differences.add(new StepDifference(step, Change.CHANGED));
          }
        });
    was.keySet().stream()
        .filter(step -> !is.containsKey(step))
        .forEach(step -> differences.add(new StepDifference(step, Change.REMOVED)));
    return differences;
  }
}
