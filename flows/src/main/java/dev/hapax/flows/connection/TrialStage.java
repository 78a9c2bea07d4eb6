package dev.hapax.flows.connection;

import org.jspecify.annotations.Nullable;

/**
 * A stage of a trial of a connection.
 *
 * @param stage for example {@code resolve} or {@code authenticate}
 * @param outcome {@code ok}, {@code failed}, or {@code unknown} if the trial cannot tell
 * @param detail what was tried and what came back, without secrets
 * @param fix what to do; null if there is nothing to do
 */
public record TrialStage(String stage, String outcome, String detail, @Nullable String fix) {
  static final String FAILED = "failed";

  public static TrialStage ok(String stage, String detail) {
    return new TrialStage(stage, "ok", detail, null);
  }

  static TrialStage failed(String stage, String detail, String fix) {
    return new TrialStage(stage, FAILED, detail, fix);
  }

  static TrialStage unknown(String stage, String detail, String fix) {
    return new TrialStage(stage, "unknown", detail, fix);
  }
}
