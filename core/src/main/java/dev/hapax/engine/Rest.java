package dev.hapax.engine;

import dev.hapax.run.RunStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a strand waits for: its word, and when to look again; null if it is woken. */
record Rest(RunStatus status, @Nullable Instant dueAt) {

  /** What two that wait come to: a review is told before a wait, and the earlier time counts. */
  Rest and(@Nullable Rest other) {
    if (other == null) {
      return this;
    }
    boolean review = status == RunStatus.REVIEW || other.status == RunStatus.REVIEW;
    return new Rest(review ? RunStatus.REVIEW : status, earlier(dueAt, other.dueAt));
  }

  static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isBefore(b) ? a : b;
  }
}
