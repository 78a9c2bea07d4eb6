package dev.hapax.time;

/**
 * Thrown by the ports of a process that is gone, where a simulation lets one die while its threads
 * are still there: it takes them out, and nobody makes anything of it.
 */
public abstract class ProcessGone extends Error {
  private static final long serialVersionUID = 1L;

  protected ProcessGone(String message) {
    super(message, null, false, false);
  }
}
