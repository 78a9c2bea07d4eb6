package dev.hapax.trial.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** What has to be taken from one list and added to make it the other, in as few lines as can be. */
final class ListDiff<E, G> {
  /** More lines than this are compared one by one. */
  private static final int MOST = 2_000;

  private final List<String> lines = new ArrayList<>();
  private boolean isEmpty = true;

  ListDiff(
      List<E> expected,
      List<G> got,
      BiPredicate<E, G> matches,
      Function<E, String> ofExpected,
      Function<G, String> ofGot) {
    int[][] common = common(expected, got, matches);
    int i = 0;
    int j = 0;
    while (i < expected.size() || j < got.size()) {
      boolean both = i < expected.size() && j < got.size();
      if (both && matches.test(expected.get(i), got.get(j))) {
        lines.add("  " + ofGot.apply(got.get(j)));
        i++;
        j++;
      } else if (j == got.size() || (both && at(common, i + 1, j) >= at(common, i, j + 1))) {
        lines.add("- " + ofExpected.apply(expected.get(i)));
        isEmpty = false;
        i++;
      } else {
        lines.add("+ " + ofGot.apply(got.get(j)));
        isEmpty = false;
        j++;
      }
    }
  }

  /** The length of the longest common list from each pair of places on. */
  private int[][] common(List<E> expected, List<G> got, BiPredicate<E, G> matches) {
    if (expected.size() > MOST || got.size() > MOST) {
      return new int[0][0];
    }
    int[][] common = new int[expected.size() + 1][got.size() + 1];
    for (int i = expected.size() - 1; i >= 0; i--) {
      for (int j = got.size() - 1; j >= 0; j--) {
        common[i][j] =
            matches.test(expected.get(i), got.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }

  private static int at(int[][] common, int i, int j) {
    return common.length == 0 ? 0 : common[i][j];
  }

  boolean isEmpty() {
    return isEmpty;
  }

  String text(String indent) {
    var text = new StringBuilder();
    lines.forEach(line -> text.append(indent).append(line).append('\n'));
    return text.toString();
  }
}
