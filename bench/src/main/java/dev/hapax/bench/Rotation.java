package dev.hapax.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * Lets several contestants do the same work in turns: a machine has better and worse minutes, and
 * each contestant gets its part of both.
 *
 * @param warmUp of each, before anything is counted
 * @param count turns of each
 * @param time of a turn
 */
record Rotation(Duration warmUp, int count, Duration time) {
  static final Rotation USUAL = new Rotation(Duration.ofSeconds(4), 5, Duration.ofSeconds(2));
  static final Rotation QUICK = new Rotation(Duration.ofSeconds(2), 3, Duration.ofSeconds(1));

  /** The time for the calls of the turn before to end, and for those of the next one to begin. */
  private static final Duration CHANGE = Duration.ofMillis(300);

  /** A participant. */
  interface Contestant {
    void call() throws Exception;

    /** Returns a meter that grows by the work of the contestant, and perhaps of others. */
    default long meter() throws Exception {
      return 0;
    }
  }

  /**
   * The result of one contestant.
   *
   * @param metered how far the meter moved in its turns
   */
  record Done(Callers.Outcome outcome, long metered) {}

  void warmUp(int callers, List<? extends Contestant> all)
      throws InterruptedException, ExecutionException {
    for (Contestant one : all) {
      new Callers(callers, Duration.ZERO, warmUp).call(one::call);
    }
  }

  /** Returns the result of each contestant, in their order. */
  List<Done> measure(int callers, List<? extends Contestant> all) throws Exception {
    List<List<Callers.Outcome>> outcomes = new ArrayList<>();
    long[] metered = new long[all.size()];
    all.forEach(_ -> outcomes.add(new ArrayList<>()));
    for (int turn = 0; turn < count; turn++) {
      for (int i = 0; i < all.size(); i++) {
        Contestant one = all.get(i);
        long before = one.meter();
        outcomes.get(i).add(new Callers(callers, CHANGE, time).call(one::call));
        metered[i] += one.meter() - before;
      }
    }
    List<Done> done = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      done.add(new Done(Callers.Outcome.together(outcomes.get(i)), metered[i]));
    }
    return done;
  }
}
