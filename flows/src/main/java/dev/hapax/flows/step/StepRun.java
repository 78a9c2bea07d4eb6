package dev.hapax.flows.step;

import dev.hapax.flow.Read;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.json.ValueBudget;
import dev.hapax.json.ValueTooLarge;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One step in one run.
 *
 * @param kept the resources that this run has put and that may not be durable yet
 * @param inner runs the steps inside this one
 * @param item the key of the current item of the loop; null outside of loops
 * @param members of its result that the file reads, apart from those that every result has
 */
public record StepRun(
    RunContext run,
    FlowStep step,
    Scope scope,
    StepServices services,
    RecentResources kept,
    Inner inner,
    @Nullable String item,
    Set<String> members) {
  /** Runs the inner steps of a step; the interpreter implements it. */
  public interface Inner {
    /** Returns the output of the last step. */
    @Nullable Object inOrder(List<FlowStep> steps) throws Exception;

    /** Runs the lists in parallel; returns the output of the last step of each. */
    List<@Nullable Object> atOnce(List<List<FlowStep>> branches) throws Exception;

    /** Runs rounds of steps; returns the output of the last step in the last round. */
    @Nullable Object repeated(FlowStep step, Rounds rounds) throws Exception;
  }

  /**
   * Rounds of steps.
   *
   * @param until checked after a round; null if {@code whilst} is checked before it
   */
  public record Rounds(
      @Nullable Template until, @Nullable Template whilst, List<FlowStep> steps, int most) {}

  /** Ends the run with this output; thrown through all blocks around the step. */
  public static final class Returned extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient @Nullable Object output;

    Returned(@Nullable Object output) {
      super("the run ends here", null, false, false);
      this.output = output;
    }

    public @Nullable Object output() {
      return output;
    }
  }

  String id() {
    return step.id();
  }

  StepRun with(Scope other) {
    return new StepRun(run, step, other, services, kept, inner, item, members);
  }

  String text(Template template) {
    return template.text(scope);
  }

  /** Returns the retries of a read and its destination; no destination without a connection. */
  Read read(@Nullable String connection) {
    Read read = Read.retried(step.retryPolicy());
    return connection == null ? read : read.to(services.destination(connection));
  }

  boolean isDraft() {
    return services.isDraft();
  }

  /** Returns the step's result in a draft, where nothing is sent. */
  @Nullable Object sample(@Nullable Object usual) {
    ValueTemplate given = step.sample();
    return given == null ? usual : Evaluation.<@Nullable Object>recorded(() -> given.value(scope));
  }

  /** In a draft, reads still read, unless the step gives a sample. */
  boolean isSampled() {
    return isDraft() && step.sample() != null;
  }

  @Nullable Object redacted(@Nullable Object value) {
    return services.redaction().redact(value);
  }

  /** Answers for a kind that cannot run yet: with the sample in a draft. */
  @Nullable Object notSupported() {
    if (isDraft()) {
      return run.step(id(), () -> sample(null), Object.class);
    }
    throw failed("not-supported", "steps of kind %s cannot run yet".formatted(step.kind().word()));
  }

  StepFailed failed(String code, String message) {
    return new StepFailed(code, message, id(), item, false);
  }

  StepFailed failed(ExpressionFailed failure) {
    return failed(failure.code(), String.valueOf(failure.getMessage()));
  }

  /** Fails the step if its output is larger than a value may be; an effect has been done. */
  public void refuseTooLarge(@Nullable Object output) {
    try {
      new ValueBudget(services.valueBytes()).takeValue(output);
    } catch (ValueTooLarge e) {
      throw failed(e.code(), "its output: " + e.getMessage());
    }
  }
}
