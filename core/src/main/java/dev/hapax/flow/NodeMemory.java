package dev.hapax.flow;

/**
 * The memory of a node for the values of its runs. A program that reads large values beside runs,
 * such as messages of a queue, takes memory here before it reads them, and gives it back after.
 * Safe for many threads.
 */
public interface NodeMemory {
  /** The most bytes that can ever be taken at once. */
  long mostBeside();

  /** Takes memory; returns whether there was room. */
  boolean takeBeside(long bytes);

  /** Gives back what was taken. */
  void giveBackBeside(long bytes);
}
