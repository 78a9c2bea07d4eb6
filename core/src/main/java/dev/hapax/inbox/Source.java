package dev.hapax.inbox;

import dev.hapax.flow.Flow;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the events of a source start.
 *
 * @param payload what an event tells, as the function reads it
 * @param input of the run; what it throws makes the event invalid
 * @param time when an event happened, by its payload; null if it does not tell
 */
public record Source<P, I>(
    Class<P> payload, Flow<I, ?> flow, Function<P, I> input, Function<P, @Nullable Instant> time) {
  public Source(Class<P> payload, Flow<I, ?> flow, Function<P, I> input) {
    this(payload, flow, input, _ -> null);
  }
}
