package dev.hapax.flows;

import java.util.List;

/** Thrown when an answer to a callback does not fit what the run waits for; it decided nothing. */
public final class InvalidAnswer extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  InvalidAnswer(String step, List<String> problems) {
    super(
        "the answer does not fit what step '%s' waits for: %s. It decided nothing: send another one."
            .formatted(step, String.join("; ", problems)));
    this.problems = problems;
  }

  public List<String> problems() {
    return problems;
  }
}
