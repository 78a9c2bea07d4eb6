package dev.hapax.inbox;

import dev.hapax.flow.Flow;
import java.util.function.Function;

/**
 * What the events of a source start.
 *
 * @param payload what an event tells, as the function reads it
 * @param input of the run; what it throws makes the event invalid
 */
public record Source<P, I>(Class<P> payload, Flow<I, ?> flow, Function<P, I> input) {}
