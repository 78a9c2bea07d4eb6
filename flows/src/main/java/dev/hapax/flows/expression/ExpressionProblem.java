package dev.hapax.flows.expression;

/** The reason why an expression is refused before anything runs. */
public record ExpressionProblem(Position position, String message) {}
