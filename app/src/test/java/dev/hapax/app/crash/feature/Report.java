package dev.hapax.app.crash.feature;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A report of a process to the parties outside: a line with tabs between its words. A report counts
 * as an acknowledgement, so its content must never be lost.
 */
enum Report {
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
  /** The case, the answer that was sent, its state, whether it is the first, and what counts. */
  HEARD,
  /** An answer that no run awaits, and its addressee. */
  STRANGER,
  /** A person has acted on a run: the run, and the person. */
  DONE,
  /** Every run has ended. */
  QUIET,
  CLOSED,
  PROBLEM;

  void say(@Nullable Object... words) {
    String line =
        Arrays.stream(words)
            .map(word -> "\t" + String.valueOf(word).replaceAll("\\s+", " "))
            .collect(Collectors.joining("", name(), ""));
    synchronized (Report.class) {
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
