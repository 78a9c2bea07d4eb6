package dev.hapax.flow;

/** Thrown if the caller may not decide this approval. */
public final class Forbidden extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public Forbidden(String message) {
    super(message);
  }
}
