package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.run.Failure;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run.
 *
 * @param retryable whether another try without a change could succeed; false unless it failed
 * @param cancel who asked for its end
 */
public record RunView(
    String id,
    String flow,
    int release,
    String key,
    String status,
    boolean retryable,
    @JsonRawValue String input,
    @Nullable @JsonRawValue String output,
    @Nullable ErrorView error,
    Instant createdAt,
    @Nullable Instant endedAt,
    long duplicates,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant dueAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant timeoutAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Cancel cancel) {

  /** A wish to end a run early. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Cancel(String by, @Nullable String reason, boolean compensate) {
    static @Nullable Cancel of(Run.@Nullable Cancel wish) {
      return wish == null ? null : new Cancel(wish.actor(), wish.reason(), wish.compensate());
    }
  }

  /** Whoever has asked for its end sees that it will come, also before the run itself has heard. */
  private static RunStatus statusOf(Run run) {
    RunStatus status = run.status();
    return run.cancel() == null || status.isEnd() || status == RunStatus.COMPENSATING
        ? status
        : RunStatus.CANCELING;
  }

  /** The run as the store holds it. */
  public static RunView of(Run run) {
    return of(run, run.output());
  }

  /** As above, with the value that its output refers to. */
  public static RunView of(Run run, @Nullable String output) {
    Failure error = run.error();
    boolean hasEnded = run.status().isEnd();
    return new RunView(
        run.id().toString(),
        run.flow(),
        run.release(),
        run.key(),
        statusOf(run).word(),
        error != null && error.retryable(),
        String.valueOf(JsonText.raw(run.input())),
        JsonText.raw(output),
        ErrorView.of(error),
        run.createdAt(),
        run.endedAt(),
        run.duplicates(),
        hasEnded ? null : run.dueAt(),
        hasEnded ? null : run.timeoutAt(),
        Cancel.of(run.cancel()));
  }
}
