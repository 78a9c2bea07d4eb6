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
 * @param item the key of the item that the loop around is at; null outside of loops
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

  /** How what only reads is repeated, and where it asks; null if it uses no connection. */
  Read read(@Nullable String connection) {
    Read read = Read.retried(step.retryPolicy());
    return connection == null ? read : read.to(services.destination(connection));
  }

  boolean isDraft() {
    return services.isDraft();
  }

  /** What the step comes to in a draft, where nothing is sent. */
  @Nullable Object sample(@Nullable Object usual) {
    return step.sample() == null ? usual : step.sample().value(scope);
  }

  /** What reads goes on reading in a draft, unless the step says what it would find. */
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
