package dev.hapax.flows.expression;

/** An expression that had no value: where it stands, why, and which values it saw. */
public final class ExpressionFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Position position;

  ExpressionFailed(Position position, String message) {
    super(message); // no cause: its text could hold what was redacted here
    this.position = position;
  }

  public Position position() {
    return position;
  }
}
