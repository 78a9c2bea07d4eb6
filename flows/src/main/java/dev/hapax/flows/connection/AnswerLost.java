package dev.hapax.flows.connection;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The request may have arrived, but its answer did not. */
public final class AnswerLost extends IOException {
  private static final long serialVersionUID = 1L;

  public AnswerLost(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
