package dev.hapax.flows.expression;

import java.util.concurrent.Semaphore;

/**
 * The turns of evaluations that compute for long. Runs share a few carrier threads, one per
 * processor, and a computation keeps its carrier until it is done. So half of the processors are
 * for long evaluations, which wait for each other, and the other half stays free for all other
 * work. Safe for many threads.
 */
final class LongEvaluations {
  static final LongEvaluations OF_PROCESS =
      new LongEvaluations(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

  private final Semaphore turns;

  LongEvaluations(int atOnce) {
    this.turns = new Semaphore(atOnce, true);
  }

  /** Waits for a turn. A long evaluation waits for nothing else, so its turn ends. */
  void begin() {
    turns.acquireUninterruptibly();
  }

  void end() {
    turns.release();
  }

  /** How many wait for a turn. */
  int waiting() {
    return turns.getQueueLength();
  }
}
