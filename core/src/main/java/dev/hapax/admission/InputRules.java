package dev.hapax.admission;

import dev.hapax.admission.RunAdmission.InvalidInput;
import dev.hapax.flow.Flow;
import dev.hapax.json.RawType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses inputs that no run can be started with, before anything is read from the store. */
public final class InputRules {
  private InputRules() {}

  /** Refuses an input that is null, or whose type would be lost when it is read back. */
  public static void refuseUnreadable(Flow<?, ?> flow, @Nullable Object input) {
    if (input == null) {
      throw refusal(
          "input of %s: expected a value, got null. If the flow needs no input, pass a record without components."
              .formatted(flow));
    }
    RawType lost = RawType.lost(flow.input(), input);
    if (lost != null) {
      throw refusal("input of %s: %s.".formatted(flow, lost.inFlow()));
    }
  }

  /** Refuses an input that the flow itself refuses, for example by its schema. */
  public static <I> void refuseUnfit(Flow<I, ?> flow, I input) {
    List<String> problems = flow.problemsOf(input);
    if (!problems.isEmpty()) {
      throw refusal(
          "the input does not fit flow '%s': %s"
              .formatted(flow.name(), String.join("; ", problems)));
    }
  }

  private static InvalidInput refusal(String why) {
    return new InvalidInput("invalid-input", why, null);
  }
}
