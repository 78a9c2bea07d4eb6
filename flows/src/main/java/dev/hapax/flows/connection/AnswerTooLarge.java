package dev.hapax.flows.connection;

import java.io.IOException;

/** The destination sent more than an attempt reads. */
public final class AnswerTooLarge extends IOException {
  private static final long serialVersionUID = 1L;

  AnswerTooLarge(String message) {
    super(message);
  }
}
