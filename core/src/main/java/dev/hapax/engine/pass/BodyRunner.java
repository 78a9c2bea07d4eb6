package dev.hapax.engine.pass;

import dev.hapax.flow.Flow;

/** Runs the body of a flow in one stay of a run. */
public interface BodyRunner {
  /** Runs the body on the current thread, and returns its output as JSON text. */
  <I, O> String run(Flow<I, O> flow, Fiber fiber, String input) throws Exception;
}
