package dev.hapax.flow;

import dev.hapax.json.Text;
import org.jspecify.annotations.Nullable;

/** Why a step or a run failed. Retryable: another try without a change could succeed. */
public record Failure(
    String code, String message, @Nullable String step, @Nullable String item, boolean retryable) {
  public Failure {
    code = Text.storable(code);
    message = Text.storable(message);
  }

  public static Failure of(String code, String message, boolean retryable) {
    return new Failure(code, message, null, null, retryable);
  }

  /** The same failure, which another try cannot help. */
  Failure notRetryable() {
    return new Failure(code, message, step, item, false);
  }

  public Failure at(Step where) {
    return new Failure(code, message, where.name(), where.item(), retryable);
  }
}
