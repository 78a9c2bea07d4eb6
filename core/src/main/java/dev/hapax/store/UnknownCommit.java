package dev.hapax.store;

/**
 * The connection failed during a commit, so that it may or may not have happened: submit the same
 * batch again.
 */
public final class UnknownCommit extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownCommit(String message, Throwable cause) {
    super(message, cause);
  }
}
