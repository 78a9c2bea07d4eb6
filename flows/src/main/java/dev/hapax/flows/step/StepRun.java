package dev.hapax.flows.step;

import dev.hapax.flow.Read;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.Step;
import org.jspecify.annotations.Nullable;

/**
 * One step in one run.
 *
 * @param kept the resources that this run has put and that may not be durable yet
 * @param item the key of the current item of the loop; null outside of loops
 */
public record StepRun(
    RunContext run,
    Step step,
    Scope scope,
    StepServices services,
    Kept kept,
    @Nullable String item) {
  String id() {
    return step.id();
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
    return step.sample() == null ? usual : step.sample().value(scope);
  }

  /** In a draft, reads still read, unless the step gives a sample. */
  boolean isSampled() {
    return isDraft() && step.sample() != null;
  }

  @Nullable Object redacted(@Nullable Object value) {
    return services.redaction().redact(value);
  }

  StepFailed failed(String code, String message) {
    return new StepFailed(code, message, id(), item, false);
  }

  StepFailed failed(ExpressionFailed failure) {
    return failed("expression", String.valueOf(failure.getMessage()));
  }
}
