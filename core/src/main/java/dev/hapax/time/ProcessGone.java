package dev.hapax.time;

/**
 * Thrown by the ports of a simulated process that has died while its threads still exist. It ends
 * these threads, and no code handles it.
 */
public abstract class ProcessGone extends Error {
  private static final long serialVersionUID = 1L;

  protected ProcessGone(String message) {
    super(message, null, false, false);
  }
}
