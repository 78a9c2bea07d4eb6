package dev.hapax.flows.connection;

/** An address that flows may not reach, and why. Nothing was sent. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Refused(String message) {
    super(message);
  }
}
