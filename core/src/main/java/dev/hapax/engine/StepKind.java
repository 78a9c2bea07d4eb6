package dev.hapax.engine;

/**
 * What a step is in the journal; code that makes something else of it does not belong to this run.
 */
enum StepKind {
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

  /** Whether something outside of the run, another run included, comes to know of it. */
  boolean leavesTheRun() {
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
