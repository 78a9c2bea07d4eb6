package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.RunWait;
import dev.hapax.flow.Step;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Something that a run waits for.
 *
 * @param cause slot, lock, effect, child, callback, approval, review, timer, retry, turn, code,
 *     quarantine, restore, suspension or quota
 * @param message a clause whose subject is the run
 * @param until when the run looks again, or the wait expires
 * @param approval the id of the approval
 * @param effect the id of the effect
 * @param runs the runs that it waits for, and those below a child that need a person
 * @param asksPerson whether only a person ends the wait
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunWaitView(
    String cause,
    @Nullable String step,
    @Nullable String item,
    @Nullable Integer round,
    @Nullable String key,
    String message,
    @Nullable Instant until,
    @Nullable String approval,
    @Nullable String effect,
    List<Other> runs,
    boolean asksPerson) {

  /**
   * Another run. Only its id is shown to a caller who may not use its flow.
   *
   * @param asksPerson whether this run itself needs a person
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Other(
      String id,
      @Nullable String flow,
      @Nullable String key,
      @Nullable String status,
      boolean asksPerson) {}

  /**
   * Returns the wait as a caller may see it.
   *
   * @param mayUse whether the caller may use the flow of this name
   */
  public static RunWaitView of(RunWait wait, Predicate<String> mayUse) {
    Step step = wait.where();
    return new RunWaitView(
        wait.cause().word(),
        step == null ? null : step.name(),
        step == null ? null : step.item(),
        step == null ? null : step.round(),
        wait.key(),
        wait.message(),
        wait.until(),
        wait.approval(),
        wait.effect(),
        wait.runs().stream().map(other -> shown(other, mayUse)).toList(),
        wait.asksPerson());
  }

  private static Other shown(RunWait.Other other, Predicate<String> mayUse) {
    return mayUse.test(other.flow())
        ? new Other(
            other.id(), other.flow(), other.key(), other.status().word(), other.asksPerson())
        : new Other(other.id(), null, null, null, other.asksPerson());
  }
}
