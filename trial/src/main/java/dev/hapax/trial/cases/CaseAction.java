package dev.hapax.trial.cases;

import dev.hapax.flow.Decision;
import dev.hapax.trial.TrialEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happens after the start of a case. */
public sealed interface CaseAction {
  record Move(Duration by) implements CaseAction {}

  record CallBack(String step, @Nullable Object body) implements CaseAction {}

  record Decide(
      Decision.Choice choice,
      String step,
      String by,
      @Nullable String comment,
      @Nullable Object values)
      implements CaseAction {}

  /**
   * A person settles a review.
   *
   * @param as {@code true}, {@code happened}, {@code not-happened} or {@code abandon}
   */
  record Settle(String step, @Nullable String item, String as) implements CaseAction {}

  /**
   * Another start.
   *
   * @param input null: as before
   */
  record Start(@Nullable Object input, @Nullable String key) implements CaseAction {}

  /**
   * Another delivery, or another message.
   *
   * @param event null: as before
   */
  record Deliver(@Nullable TrialEvent event) implements CaseAction {}

  /** A person retries the run. */
  record Retry() implements CaseAction {}

  /**
   * The death of the process.
   *
   * @param at null: now
   */
  record Kill(@Nullable KillPoint at) implements CaseAction {}
}
