package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing list of choices small: makes numbers dull, makes others smaller, leaves some out,
 * while it still fails. The rest is kept as a test, since it survives changes that a seed does not.
 * Leaving out comes last: it moves all the numbers behind it. The tries are counted and not timed,
 * so that a busy machine shrinks as far as a quiet one.
 */
final class Shrinker {
  private final Predicate<List<Integer>> fails;
  private final Cuts cuts;
  private int triesLeft;

  /**
   * @param cuts what is tried first
   */
  Shrinker(Predicate<List<Integer>> fails, Cuts cuts, int mostTries) {
    this.fails = fails;
    this.cuts = cuts;
    this.triesLeft = mostTries;
  }

  /** Returns the smallest failing list that was found; the given one if there is none. */
  List<Integer> shrink(List<Integer> choices) {
    List<Integer> best = withoutDullEnd(choices);
    long before;
    do {
      before = weight(best);
      best = withoutDullEnd(cut(best));
      for (int chunk = half(best.size()); chunk >= 1; chunk /= 2) {
        best = withoutDullEnd(makeDull(best, chunk));
      }
      best = lower(best);
      for (int chunk = half(best.size()); chunk >= 1; chunk /= 2) {
        best = withoutDullEnd(leaveOut(best, chunk));
      }
    } while (weight(best) < before && triesLeft > 0);
    return best;
  }

  private List<Integer> cut(List<Integer> list) {
    List<Integer> best = list;
    boolean isSmaller;
    do {
      isSmaller = false;
      for (List<Integer> smaller : cuts.of(best)) {
        if (triesLeft > 0 && stillFails(smaller)) {
          best = smaller;
          isSmaller = true;
          break;
        }
      }
    } while (isSmaller);
    return best;
  }

  private List<Integer> makeDull(List<Integer> list, int chunk) {
    List<Integer> best = list;
    for (int from = 0; from < best.size() && triesLeft > 0; from += chunk) {
      List<Integer> part = best.subList(from, Math.min(from + chunk, best.size()));
      if (part.stream().anyMatch(number -> number != 0)) {
        List<Integer> duller = new ArrayList<>(best);
        duller.subList(from, from + part.size()).replaceAll(_ -> 0);
        best = stillFails(duller) ? duller : best;
      }
    }
    return best;
  }

  private List<Integer> leaveOut(List<Integer> list, int chunk) {
    List<Integer> best = list;
    for (int from = 0; from < best.size() && triesLeft > 0; ) {
      List<Integer> shorter = new ArrayList<>(best);
      shorter.subList(from, Math.min(from + chunk, best.size())).clear();
      if (stillFails(shorter)) {
        best = shorter;
      } else {
        from += chunk;
      }
    }
    return best;
  }

  private List<Integer> lower(List<Integer> list) {
    List<Integer> best = list;
    for (int at = 0; at < best.size(); at++) {
      while (best.get(at) > 1 && triesLeft > 0) {
        List<Integer> lower = new ArrayList<>(best);
        lower.set(at, best.get(at) / 2);
        if (!stillFails(lower)) {
          break;
        }
        best = lower;
      }
    }
    return best;
  }

  private boolean stillFails(List<Integer> list) {
    triesLeft--;
    return fails.test(list);
  }

  private static int half(int size) {
    return Math.max(1, size / 2);
  }

  /** Removes the dull end: where a list ends, everything is dull anyway. */
  private static List<Integer> withoutDullEnd(List<Integer> list) {
    int end = list.size();
    while (end > 0 && list.get(end - 1) == 0) {
      end--;
    }
    return List.copyOf(list.subList(0, end));
  }

  private static long weight(List<Integer> list) {
    return list.size() + list.stream().mapToLong(number -> number).sum();
  }
}
