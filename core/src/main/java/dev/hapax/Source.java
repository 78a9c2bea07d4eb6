package dev.hapax;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Tie;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The flow that the events of a source start, and its input.
 *
 * @param payload the type of an event's payload, as the function reads it
 * @param input computes the input of the run; if it throws, the event is invalid
 * @param time reads from the payload when an event happened; null if it does not say so
 * @param tie decides about an event whose version came before with other input
 */
public record Source<P, I>(
    Class<P> payload,
    Flow<I, ?> flow,
    Function<P, I> input,
    Function<P, @Nullable Instant> time,
    Tie tie) {
  public Source(
      Class<P> payload,
      Flow<I, ?> flow,
      Function<P, I> input,
      Function<P, @Nullable Instant> time) {
    this(payload, flow, input, time, Tie.APPLY);
  }

  public Source(Class<P> payload, Flow<I, ?> flow, Function<P, I> input) {
    this(payload, flow, input, _ -> null);
  }

  /** The same source with another rule for an equal version with other input. */
  public Source<P, I> tie(Tie rule) {
    return new Source<>(payload, flow, input, time, rule);
  }
}
