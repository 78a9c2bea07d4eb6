package dev.hapax.trial.sandbox;

/** Says how each request is answered. Called by many threads, once per request, in their order. */
@FunctionalInterface
public interface AnswerBook {
  /** Answers as a destination would that works. */
  AnswerBook USUAL = _ -> SandboxAnswer.USUAL;

  SandboxAnswer answerTo(SandboxRequest request);

  /**
   * Answers a lookup.
   *
   * @param isThere whether the effect has happened at the destination
   */
  default SandboxAnswer lookup(SandboxRequest request, boolean isThere) {
    return SandboxAnswer.USUAL;
  }
}
