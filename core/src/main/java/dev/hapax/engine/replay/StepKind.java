package dev.hapax.engine.replay;

/** The kind of a step in the journal. Code with another kind does not belong to this run. */
public enum StepKind {
  STEP("a step"),
  EFFECT("an effect"),
  WAIT("a wait"),
  MESSAGE("a message"),
  LOOP("a loop"),
  ITEM("an item of a loop"),
  CALLBACK("a callback"),
  APPROVAL("an approval"),
  CALL("a call of a child run"),
  SPAWN("a run that it starts"),
  LOCK("a section under a lock"),
  KV("a call of the durable map");

  private final String word;

  StepKind(String word) {
    this.word = word;
  }

  /** Whether the step is visible outside of the run, such as to another run. */
  public boolean leavesTheRun() {
    return switch (this) {
      case EFFECT, MESSAGE, CALL, SPAWN -> true;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return word;
  }
}
