package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing list of choices small: leaves chunks out, makes numbers dull, then smaller, while
 * it still fails. What remains is kept as a test, since it survives changes that a seed does not.
 */
public final class Shrinker {
  private final Predicate<List<Integer>> fails;
  private int triesLeft;

  public Shrinker(Predicate<List<Integer>> fails, int mostTries) {
    this.fails = fails;
    this.triesLeft = mostTries;
  }

  public List<Integer> shrink(List<Integer> choices) {
    List<Integer> best = choices;
    int before;
    do {
      before = weight(best);
      for (int chunk = Math.max(1, best.size() / 2); chunk >= 1; chunk /= 2) {
        best = leaveOut(best, chunk);
        best = makeDull(best, chunk);
      }
      best = lower(best);
    } while (weight(best) < before && triesLeft > 0);
    return withoutDullEnd(best);
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

  private List<Integer> lower(List<Integer> list) {
    List<Integer> best = list;
    for (int at = 0; at < best.size() && triesLeft > 0; at++) {
      if (best.get(at) > 1) {
        List<Integer> lower = new ArrayList<>(best);
        lower.set(at, best.get(at) / 2);
        best = stillFails(lower) ? lower : best;
      }
    }
    return best;
  }

  private boolean stillFails(List<Integer> list) {
    triesLeft--;
    return fails.test(list);
  }

  private static List<Integer> withoutDullEnd(List<Integer> list) {
    int end = list.size();
    while (end > 0 && list.get(end - 1) == 0) {
      end--;
    }
    return List.copyOf(list.subList(0, end));
  }

  private static int weight(List<Integer> list) {
    return list.size() + list.stream().mapToInt(number -> Math.min(number, 1000)).sum();
  }
}
