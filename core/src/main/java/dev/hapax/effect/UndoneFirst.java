package dev.hapax.effect;

import dev.hapax.run.journal.ClaimAnswer;

/**
 * Thrown to the engine by a claim that found the run's own effect with other content: the engine
 * undoes that revision and claims again. It never reaches the code of a flow.
 */
public final class UndoneFirst extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ClaimAnswer.UndoFirst answer;

  UndoneFirst(ClaimAnswer.UndoFirst answer) {
    super("revision %d is to be undone first".formatted(answer.revision()), null, false, false);
    this.answer = answer;
  }

  /** Which revision of which effect. */
  public ClaimAnswer.UndoFirst answer() {
    return answer;
  }
}
