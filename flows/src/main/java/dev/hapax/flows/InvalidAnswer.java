package dev.hapax.flows;

import java.util.List;

/** Thrown when an answer to a callback does not fit what the run waits for; it decided nothing. */
public final class InvalidAnswer extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  InvalidAnswer(String step, List<String> problems) {
    super(
        "the answer does not match the schema of step '%s': %s. Nothing was decided: send another answer."
            .formatted(step, String.join("; ", problems)));
    this.problems = problems;
  }

  public List<String> problems() {
    return problems;
  }
}
