package dev.hapax.testkit;

import java.util.Set;

/** One thing that goes wrong in one run of a proof. */
record Disturbance(What what, int number) {
  static final Disturbance NONE = new Disturbance(What.NOTHING, 0);

  /** Guards whose destinations remove duplicate requests. */
  private static final Set<String> TAKES_DOUBLES = Set.of("keyed", "upsert", "transaction");

  enum What {
    NOTHING("nothing goes wrong"),
    KILL_BEFORE_COMMIT("the process dies before commit %d"),
    KILL_AFTER_COMMIT("the process dies after commit %d"),
    KILL_BEFORE_SEND("the process dies before request %d leaves"),
    KILL_AFTER_SEND("the process dies when request %d has arrived"),
    LOSE_REQUEST("request %d is lost on its way"),
    LOSE_ANSWER("the answer to request %d is lost"),
    DELAY_ANSWER("the answer to request %d comes after its timeout"),
    DOUBLE_REQUEST("request %d arrives twice");

    private final String words;

    What(String words) {
      this.words = words;
    }

    boolean isAboutCommit() {
      return this == KILL_BEFORE_COMMIT || this == KILL_AFTER_COMMIT;
    }

    boolean isAboutRequest() {
      return this != NOTHING && !isAboutCommit();
    }
  }

  /** Whether it may be done to a request with this guard. */
  boolean fits(String guard) {
    return what != What.DOUBLE_REQUEST || TAKES_DOUBLES.contains(guard);
  }

  @Override
  public String toString() {
    return what.words.formatted(number);
  }
}
