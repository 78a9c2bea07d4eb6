package dev.hapax.flows.yaml;

import dev.hapax.flows.expression.Position;

/**
 * A problem that keeps a file from being a flow: the broken rule, the place, the reason, and what
 * to do.
 *
 * @param rule a stable id, for example {@code unknown-field}
 */
public record FileProblem(String rule, Position position, String message, String fix) {
  public static final String YAML = "yaml";
  public static final String SCHEMA = "schema";
  public static final String UNKNOWN_FIELD = "unknown-field";
  public static final String TYPE = "type";
  public static final String EXPRESSION = "expression";
  public static final String TWO_KINDS = "two-kinds";
  public static final String DUPLICATE_ID = "duplicate-id";
}
