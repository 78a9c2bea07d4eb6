package dev.hapax.trial.sandbox;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request, and what goes wrong on its way. What it does not say is made up from
 * the step: its {@code sample}, its {@code externalId}, the content that was sent.
 *
 * @param status null if it is made up
 * @param hasBody whether there is a body, which can be null; otherwise it is made up
 * @param body JSON, or a text
 * @param arrivesAfter when a late request arrives; null: when its attempt has timed out
 * @param applied whether the destination does it; null: unless the status is 400 or more
 */
public record SandboxAnswer(
    @Nullable Integer status,
    Map<String, String> headers,
    boolean hasBody,
    @Nullable Object body,
    SandboxFault fault,
    @Nullable Duration arrivesAfter,
    @Nullable Boolean applied) {
  /** Everything is made up, and nothing goes wrong. */
  public static final SandboxAnswer USUAL =
      new SandboxAnswer(null, Map.of(), false, null, SandboxFault.NONE, null, null);

  public SandboxAnswer {
    headers = Map.copyOf(headers);
  }

  public SandboxAnswer status(int code) {
    return new SandboxAnswer(code, headers, hasBody, body, fault, arrivesAfter, applied);
  }

  public SandboxAnswer headers(Map<String, String> others) {
    return new SandboxAnswer(status, others, hasBody, body, fault, arrivesAfter, applied);
  }

  public SandboxAnswer body(@Nullable Object content) {
    return new SandboxAnswer(status, headers, true, content, fault, arrivesAfter, applied);
  }

  public SandboxAnswer fault(SandboxFault what) {
    return new SandboxAnswer(status, headers, hasBody, body, what, arrivesAfter, applied);
  }

  /** Sets when a late request arrives, counted from when it was sent. */
  public SandboxAnswer arrives(Duration after) {
    return new SandboxAnswer(status, headers, hasBody, body, fault, after, applied);
  }

  public SandboxAnswer applied(boolean isDone) {
    return new SandboxAnswer(status, headers, hasBody, body, fault, arrivesAfter, isDone);
  }

  boolean isFailure() {
    return status != null && status >= 400;
  }

  boolean isApplied() {
    return applied == null ? !isFailure() : applied;
  }
}
