package dev.hapax.flows.expression;

import dev.hapax.json.ValueTooLarge;

/** Thrown when an expression has no value: says where it is, why, and which values it saw. */
public final class ExpressionFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final String USUAL_CODE = "expression";

  private final transient Position position;
  private final String code;

  ExpressionFailed(Position position, String message) {
    this(position, USUAL_CODE, message);
  }

  ExpressionFailed(Position position, String code, String message) {
    super(message); // no cause: its text could contain what was redacted here
    this.position = position;
    this.code = code;
  }

  /** The code of the step that fails because of it. */
  public String code() {
    return code;
  }

  /** Fails at this place if a part of a value finds no room. */
  static void unlessFits(Position position, Runnable taking) {
    try {
      taking.run();
    } catch (ValueTooLarge e) {
      throw new ExpressionFailed(
          position, ValueTooLarge.CODE, "%s %s".formatted(position, e.getMessage()));
    }
  }

  public Position position() {
    return position;
  }
}
