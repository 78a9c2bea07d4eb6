package dev.hapax;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Names;
import dev.hapax.flow.Overlap;
import java.time.Instant;
import java.util.function.Function;

/**
 * Starts a flow at nominal instants: {@code
 * Schedule.named("nightly").flow(report).input(of).at(instants).catchUp(CatchUp.LATEST)}.
 *
 * @param input computes the input for the run of a nominal instant
 * @param catchUp what happens to missed instants; LATEST by default
 * @param overlap what happens while an earlier run is still open; ALLOW by default
 */
public record Schedule<I>(
    String name,
    Flow<I, ?> flow,
    Function<Instant, ? extends I> input,
    NextInstants at,
    CatchUp catchUp,
    Overlap overlap) {

  public static Named named(String name) {
    return new Named(Names.schedule(name));
  }

  public Schedule<I> catchUp(CatchUp rule) {
    return new Schedule<>(name, flow, input, at, rule, overlap);
  }

  public Schedule<I> overlap(Overlap rule) {
    return new Schedule<>(name, flow, input, at, catchUp, rule);
  }

  /** A schedule that has no flow yet. */
  public record Named(String name) {
    public <I> Starting<I> flow(Flow<I, ?> flow) {
      return new Starting<>(name, flow);
    }
  }

  /** A schedule that has no input yet. */
  public record Starting<I>(String name, Flow<I, ?> flow) {
    /** Uses the same input for every instant. */
    public Ready<I> input(I same) {
      return input(_ -> same);
    }

    /** Computes a separate input for every nominal instant. */
    public Ready<I> input(Function<Instant, ? extends I> input) {
      return new Ready<>(name, flow, input);
    }
  }

  /** A schedule that has no instants yet. */
  public record Ready<I>(String name, Flow<I, ?> flow, Function<Instant, ? extends I> input) {
    public Schedule<I> at(NextInstants instants) {
      return new Schedule<>(name, flow, input, instants, CatchUp.LATEST, Overlap.ALLOW);
    }
  }
}
