package dev.hapax.flows.step;

import dev.hapax.flow.RetryPolicy;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step of a flow file: its kind, and the fields that any step may have.
 *
 * @param position of its id
 * @param timeout of one attempt; null if the file gives none
 * @param retry null if the file gives none
 * @param runbook what people should do when it needs them; null for the flow's
 * @param definition a digest of what the file says about it, without its inner steps
 */
public record FlowStep(
    Position position,
    String id,
    FlowStepKind kind,
    @Nullable Template when,
    @Nullable ForEach forEach,
    @Nullable EffectContract effect,
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable Compensate compensate,
    @Nullable Template lock,
    OnError onError,
    @Nullable String runbook,
    @Nullable ValueTemplate sample,
    String definition) {
  /** The name of its shape. */
  public static final String SHAPE = "step";

  public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Runs the step for each item of a list.
   *
   * @param itemKey null if the file gives none
   */
  public record ForEach(
      Position position, Template items, @Nullable Template itemKey, int atOnce) {}

  /** How a step is undone. */
  public record Compensate(
      Position position,
      SendingStep kind,
      @Nullable EffectContract effect,
      @Nullable RetryPolicy retry,
      @Nullable Duration timeout) {
    RetryPolicy retryPolicy() {
      return retry == null ? RetryPolicy.DEFAULT : retry;
    }

    Duration attemptTimeout() {
      return timeout == null ? USUAL_TIMEOUT : timeout;
    }
  }

  /** How a failure of the step affects the run. */
  public enum OnError {
    FAIL,
    CONTINUE
  }

  /** Takes the place of a step that could not be read. */
  public static FlowStep unread(String id, Position position) {
    return new FlowStep(
        position,
        id,
        new UnreadStep(position),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        OnError.FAIL,
        null,
        null,
        "");
  }

  public RetryPolicy retryPolicy() {
    return retry == null ? RetryPolicy.DEFAULT : retry;
  }

  public Duration attemptTimeout() {
    return timeout == null ? USUAL_TIMEOUT : timeout;
  }

  /** Returns the lists of inner steps. */
  public List<List<FlowStep>> inner() {
    return kind.branches().stream().map(FlowStepKind.Branch::steps).toList();
  }

  /** Visits this step and its inner steps, in the order of the file. */
  public void walk(Consumer<FlowStep> each) {
    each.accept(this);
    inner().forEach(steps -> steps.forEach(step -> step.walk(each)));
  }

  /** Whether its failure can fail the run. */
  public boolean canFail() {
    return onError != OnError.CONTINUE && kind.canFail();
  }

  /** Returns the step's own texts that may contain expressions, without those of inner steps. */
  public Stream<Template> templates() {
    return Stream.of(
            present(when),
            present(lock),
            forEach == null
                ? Stream.<Template>empty()
                : Stream.concat(present(forEach.items()), present(forEach.itemKey())),
            effect == null ? Stream.<Template>empty() : effect.templates(),
            compensate == null
                ? Stream.<Template>empty()
                : Stream.concat(
                    compensate.kind().templates(),
                    compensate.effect() == null ? Stream.empty() : compensate.effect().templates()),
            kind.templates())
        .flatMap(texts -> texts);
  }

  private static Stream<Template> present(@Nullable Template template) {
    return Stream.ofNullable(template);
  }
}
