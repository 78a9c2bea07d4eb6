package dev.hapax.flows;

import java.util.List;

/** Thrown when an input does not fit the flow's schema; no run was created. */
public final class InvalidInput extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  InvalidInput(String flow, List<String> problems) {
    super("the input does not fit flow '%s': %s".formatted(flow, String.join("; ", problems)));
    this.problems = problems;
  }

  public List<String> problems() {
    return problems;
  }
}
