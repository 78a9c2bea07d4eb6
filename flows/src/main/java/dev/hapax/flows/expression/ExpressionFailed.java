package dev.hapax.flows.expression;

/** Thrown when an expression has no value: says where it is, why, and which values it saw. */
public final class ExpressionFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Position position;

  ExpressionFailed(Position position, String message) {
    super(message); // no cause: its text could contain what was redacted here
    this.position = position;
  }

  public Position position() {
    return position;
  }
}
