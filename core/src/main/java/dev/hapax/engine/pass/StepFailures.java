package dev.hapax.engine.pass;

import dev.hapax.flow.Failure;
import dev.hapax.flow.StepFailed;
import dev.hapax.json.NotSerializable;
import dev.hapax.json.Text;

/** Turns a recorded failure into the exception that the body gets, and back. */
public final class StepFailures {
  private StepFailures() {}

  public static StepFailed of(Failure error) {
    String step = error.step();
    return new StepFailed(
        error.code(), error.message(), step == null ? "" : step, error.item(), error.retryable());
  }

  /** The failure of a body that threw this. */
  public static Failure from(Throwable thrown) {
    return switch (thrown) {
      case StepFailed failed ->
          new Failure(
              failed.code(),
              Text.messageOf(failed),
              failed.step(),
              failed.item(),
              failed.retryable());
      case NotSerializable value -> Failure.of(value.code(), Text.messageOf(value), false);
      default -> Failure.of("error", Text.of(thrown), true);
    };
  }
}
