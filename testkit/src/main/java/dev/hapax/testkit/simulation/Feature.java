package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.promise.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that flows do beside steps and effects: what it adds to a body, and who meets it
 * outside. One object per simulation; it outlives the nodes.
 */
interface Feature {
  /** The kind of steps that it adds to bodies; null if it adds none. */
  default Plan.@Nullable Does does() {
    return null;
  }

  /** Carries a planned step of its kind out inside a body. */
  default String carryOut(Scene scene, Plan.PlannedStep step, Body body) throws Exception {
    throw new IllegalStateException(this + " adds no steps");
  }

  /** Flows that clients start too, whose bodies are made of the same steps. */
  default List<Flow<Plan, String>> flows(Body body) {
    return List.of();
  }

  /** Flows of its own that only its party starts. */
  default List<Flow<Plan, String>> ownFlows(Body body) {
    return List.of();
  }

  /** The seed uses it; nothing has started yet. */
  default void prepare() {}

  /** A node has started and knows the flows. */
  default void opened(Hapax hapax) {}

  /** Its party outside begins to live, in actors of its own. */
  default void begin() {}

  /** The faults are over: whatever still waits for the party outside gets its answer. */
  default void finish() {}

  /** What its party has seen. */
  default List<Observation> observations() {
    return List.of();
  }

  /** The steps inside a step. */
  @FunctionalInterface
  interface Body {
    String carryOut(Scene scene, List<Plan.PlannedStep> parts) throws Exception;
  }
}
