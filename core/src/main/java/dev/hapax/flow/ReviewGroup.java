package dev.hapax.flow;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reviews with one cause.
 *
 * @param oldestSentAt when the first of their attempts was sent; null if none was
 * @param examples the ids of some of the effects
 */
public record ReviewGroup(
    ReviewCause cause, long count, @Nullable Instant oldestSentAt, List<String> examples) {
  public ReviewGroup {
    examples = List.copyOf(examples);
  }
}
