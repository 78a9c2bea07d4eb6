package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Evaluates conditions, and expressions whose value is recorded. */
public final class Evaluation {
  private Evaluation() {}

  public static boolean holds(Template condition, Scope scope) {
    Object value = condition.value(scope);
    return value instanceof Boolean truth ? truth : "true".equals(value);
  }

  /** Rejects the recorded step if its expression fails, as in any other step. */
  public static <T extends @Nullable Object> T recorded(Supplier<T> value) {
    try {
      return value.get();
    } catch (ExpressionFailed e) {
      throw new Rejected(e.code(), String.valueOf(e.getMessage()), e);
    }
  }
}
