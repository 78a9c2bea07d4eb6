package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The tenant has used up a quota, so no new run was created and the key is unused. Runs that exist
 * continue, and a repeated start of one of them gets it as before.
 */
public final class QuotaExceeded extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String quota;
  private final long limit;
  private final @Nullable Duration retryAfter;

  /**
   * A refusal.
   *
   * @param quota its name, as the operator sets it
   * @param retryAfter after what time a repeated start may succeed; null if time alone does not
   *     help
   */
  public QuotaExceeded(String quota, long limit, @Nullable Duration retryAfter, String message) {
    super(message, null, false, false); // the caller's affair: its stack is of no use
    this.quota = quota;
    this.limit = limit;
    this.retryAfter = retryAfter;
  }

  /** The problem's name. */
  public String code() {
    return "quota-exceeded";
  }

  public String quota() {
    return quota;
  }

  public long limit() {
    return limit;
  }

  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
