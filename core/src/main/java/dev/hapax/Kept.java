package dev.hapax;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Until when a record is there at least, and why.
 *
 * @param until null if nobody knows yet: something has to end first
 * @param because each reason that holds now; what has no reason left goes at the next look
 */
public record Kept(@Nullable Instant until, List<Reason> because) {
  public Kept {
    because = List.copyOf(because);
  }

  /**
   * Why a record stays.
   *
   * @param code one of {@code open}, {@code retention}, {@code window}, {@code parent}, {@code
   *     effect}, {@code pending}, {@code doubt}, {@code review}, {@code undoing}, {@code referred}
   * @param text the same for people
   * @param until when it ends to be a reason; null if that depends on something else
   */
  public record Reason(String code, String text, @Nullable Instant until) {}
}
