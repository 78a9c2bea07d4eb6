package dev.hapax.engine;

import dev.hapax.flow.Flow;
import dev.hapax.run.NewRun;
import org.jspecify.annotations.Nullable;

/** Gives identities to runs that other runs start. Admission does this, as for all starts. */
public interface ChildRuns {
  /**
   * Returns the run that this request is for.
   *
   * @throws Invalid if there cannot be one
   */
  <I> NewRun newRun(Request<I> request);

  /**
   * A request of a run to start another one.
   *
   * @param key given by the caller's body; null if it gives none
   * @param otherwise the key of a run for which neither the body nor its flow has one
   */
  record Request<I>(
      String tenant, Flow<I, ?> flow, I input, @Nullable String key, String otherwise) {}

  /** An input or key that no run can be started with. */
  final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String code;

    public Invalid(String code, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.code = code;
    }

    public String code() {
      return code;
    }
  }
}
