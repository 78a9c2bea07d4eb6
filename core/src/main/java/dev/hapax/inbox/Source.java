package dev.hapax.inbox;

import dev.hapax.flow.Flow;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The flow that the events of a source start, and its input.
 *
 * @param payload the type of an event's payload, as the function reads it
 * @param input computes the input of the run; if it throws, the event is invalid
 * @param time reads from the payload when an event happened; null if it does not say so
 */
public record Source<P, I>(
    Class<P> payload, Flow<I, ?> flow, Function<P, I> input, Function<P, @Nullable Instant> time) {
  public Source(Class<P> payload, Flow<I, ?> flow, Function<P, I> input) {
    this(payload, flow, input, _ -> null);
  }
}
