package dev.hapax.effect;

/**
 * Takes the thread of a run out of its body, because the run waits, ends early or has lost its
 * store. It is an Error, so that a body's {@code catch (Exception e)} does not catch it. A body
 * that swallows it anyway gets it again at its next step.
 */
public final class Unwind extends Error {
  private static final long serialVersionUID = 1L;

  public Unwind() {
    super("the run leaves its body", null, false, false);
  }
}
