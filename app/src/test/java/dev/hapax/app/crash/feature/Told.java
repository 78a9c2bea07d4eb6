package dev.hapax.app.crash.feature;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a process tells those outside, a line each with tabs between its words. What was told counts
 * as acknowledged: it must never be lost.
 */
enum Told {
  /** A case's key, its run's id, and whether the run is new, known or expired. */
  ACCEPTED,
  /** A note's key, what became of its event, and the run's id. */
  RECEIVED,
  /** An open approval: its id, what it asks, and whether another round may be asked for. */
  ASKS,
  /** An effect in review: its id, step and key. */
  REVIEW,
  /** A run with failed items: its id and key. */
  PARTIAL,
  /** For whom something was said, what, how that stands, whether it is the first, what counts. */
  HEARD,
  /** A saying was for nobody: whom it was for. */
  STRANGER,
  /** Somebody's wish is done: the run, and who wished it. */
  DONE,
  /** Everything has come to its end. */
  QUIET,
  CLOSED,
  PROBLEM;

  void say(@Nullable Object... words) {
    String line =
        Arrays.stream(words)
            .map(word -> "\t" + String.valueOf(word).replaceAll("\\s+", " "))
            .collect(Collectors.joining("", name(), ""));
    synchronized (Told.class) {
      System.out.println(line);
      System.out.flush();
    }
  }

  /** The words of a line; the first is the name. */
  static List<String> words(String line) {
    return List.of(line.split("\t", -1));
  }

  boolean isIn(List<String> words) {
    return words.getFirst().equals(name());
  }
}
