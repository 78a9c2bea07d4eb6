package dev.hapax.flows.model;

import java.io.IOException;

/** An answer that is not one of a model, or not a whole one. */
public final class BadAnswer extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean isFinal;

  private BadAnswer(String message, boolean isFinal) {
    super(message);
    this.isFinal = isFinal;
  }

  /** Another attempt may be answered better. */
  public static BadAnswer of(String message) {
    return new BadAnswer(message, false);
  }

  /** Another attempt would end in the same way. */
  static BadAnswer tooLarge(String message) {
    return new BadAnswer(message, true);
  }

  public boolean isFinal() {
    return isFinal;
  }
}
