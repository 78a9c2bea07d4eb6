package dev.hapax.flows.connection;

import java.io.IOException;

/** The request may have arrived, but its answer did not. */
public final class AnswerLost extends IOException {
  private static final long serialVersionUID = 1L;

  AnswerLost(String message, Throwable cause) {
    super(message, cause);
  }
}
