package dev.hapax.testkit;

import dev.hapax.flow.Interceptor;
import java.util.ArrayList;
import java.util.List;
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
    LOSE_ANSWER("the answer to request %d is lost"),
    DOUBLE_REQUEST("request %d arrives twice");

    private final String words;

    What(String words) {
      this.words = words;
    }
  }

  /** Returns the disturbances at each boundary of an undisturbed run. */
  static List<Disturbance> of(int commits, List<Interceptor.Sending> requests) {
    List<Disturbance> all = new ArrayList<>();
    for (int commit = 1; commit <= commits; commit++) {
      all.add(new Disturbance(What.KILL_BEFORE_COMMIT, commit));
      all.add(new Disturbance(What.KILL_AFTER_COMMIT, commit));
    }
    for (int request = 1; request <= requests.size(); request++) {
      all.add(new Disturbance(What.KILL_BEFORE_SEND, request));
      all.add(new Disturbance(What.KILL_AFTER_SEND, request));
      all.add(new Disturbance(What.LOSE_ANSWER, request));
      if (TAKES_DOUBLES.contains(requests.get(request - 1).guard())) {
        all.add(new Disturbance(What.DOUBLE_REQUEST, request));
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return what.words.formatted(number);
  }
}
