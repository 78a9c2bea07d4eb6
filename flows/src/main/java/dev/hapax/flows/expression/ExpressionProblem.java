package dev.hapax.flows.expression;

/** Why an expression is refused before anything runs. */
public record ExpressionProblem(Position position, String message) {}
