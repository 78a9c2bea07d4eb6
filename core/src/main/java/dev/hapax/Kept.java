package dev.hapax;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The earliest time at which a record can be deleted, and the reasons why it is kept.
 *
 * @param until null if it is not known yet, because something has to end first
 * @param because the reasons that apply now; a record without a reason is deleted at the next check
 */
public record Kept(@Nullable Instant until, List<Reason> because) {
  public Kept {
    because = List.copyOf(because);
  }

  /**
   * A reason why a record is kept.
   *
   * @param code one of {@code open}, {@code retention}, {@code window}, {@code parent}, {@code
   *     effect}, {@code pending}, {@code doubt}, {@code review}, {@code undoing}, {@code referred}
   * @param text the same for people
   * @param until when the reason ends; null if that depends on something else
   */
  public record Reason(String code, String text, @Nullable Instant until) {}
}
