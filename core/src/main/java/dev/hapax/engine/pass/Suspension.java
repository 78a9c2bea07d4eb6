package dev.hapax.engine.pass;

import dev.hapax.flow.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Why a fiber is suspended: its status, and when to look again; null until it is woken. */
public record Suspension(RunStatus status, @Nullable Instant dueAt) {

  /** Combines two suspensions: a review goes before a wait, and the earlier time counts. */
  Suspension and(@Nullable Suspension other) {
    if (other == null) {
      return this;
    }
    boolean review = status == RunStatus.REVIEW || other.status == RunStatus.REVIEW;
    return new Suspension(review ? RunStatus.REVIEW : status, earlier(dueAt, other.dueAt));
  }

  public static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isBefore(b) ? a : b;
  }
}
