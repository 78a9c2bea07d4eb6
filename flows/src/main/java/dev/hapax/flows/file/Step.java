package dev.hapax.flows.file;

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
 */
public record Step(
    Position position,
    String id,
    StepKind kind,
    @Nullable Template when,
    @Nullable ForEach forEach,
    @Nullable EffectContract effect,
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable Compensate compensate,
    @Nullable Template lock,
    OnError onError,
    @Nullable ValueTemplate sample) {
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
      StepKind kind,
      @Nullable EffectContract effect,
      @Nullable RetryPolicy retry,
      @Nullable Duration timeout) {}

  /** How a failure of the step affects the run. */
  public enum OnError {
    FAIL,
    CONTINUE
  }

  public RetryPolicy retryPolicy() {
    return retry == null ? RetryPolicy.DEFAULT : retry;
  }

  public Duration attemptTimeout() {
    return timeout == null ? USUAL_TIMEOUT : timeout;
  }

  /** Returns the lists of inner steps. */
  public List<List<Step>> inner() {
    return switch (kind) {
      case StepKind.Parallel parallel -> List.copyOf(parallel.branches().values());
      case StepKind.Choose choose -> choose.choices().stream().map(StepKind.Choice::steps).toList();
      default -> List.of();
    };
  }

  void walk(Consumer<Step> each) {
    each.accept(this);
    inner().forEach(steps -> FlowFile.walk(steps, each));
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
