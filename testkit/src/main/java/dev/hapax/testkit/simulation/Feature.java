package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.promise.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A feature of flows beside steps and effects: the steps that it adds to a body, and its party
 * outside. One object per simulation; it outlives the nodes.
 */
interface Feature {
  /** Returns the kind of steps that it adds to bodies; null if it adds none. */
  default Plan.@Nullable Does does() {
    return null;
  }

  /** Carries out a planned step of its kind inside a body. */
  default String carryOut(Scene scene, Plan.PlannedStep step, Body body) throws Exception {
    throw new IllegalStateException(this + " adds no steps");
  }

  /** Returns flows that clients start too, whose bodies are made of the same steps. */
  default List<Flow<Plan, String>> flows(Body body) {
    return List.of();
  }

  /** Returns flows that only its own party starts. */
  default List<Flow<Plan, String>> ownFlows(Body body) {
    return List.of();
  }

  /** Called if the seed uses it, before anything has started. */
  default void prepare() {}

  /** Called when a node has started and knows the flows. */
  default void opened(Hapax hapax) {}

  /** Starts its party outside, in its own actors. */
  default void begin() {}

  /** Called before a person resumes a quarantined run, who has removed the cause. */
  default void cured(String run) {}

  /** Called when the faults are over. Answers everything that still waits for the party outside. */
  default void finish() {}

  /** Returns the observations of its party. */
  default List<Observation> observations() {
    return List.of();
  }

  /** The steps inside a step. */
  @FunctionalInterface
  interface Body {
    String carryOut(Scene scene, List<Plan.PlannedStep> parts) throws Exception;
  }
}
