package dev.hapax.effect;

/**
 * A run was used by a thread that it was not given to, mostly inside a sender: a mistake in the
 * program, of which every further attempt would be another one.
 */
public final class WrongThread extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public WrongThread(String message) {
    super(message);
  }
}
