package dev.hapax.testkit.mutant;

import java.util.List;

/**
 * The outcome of a mutant.
 *
 * @param number its place in the suite
 * @param isKilled whether a test noticed
 * @param seed that noticed; 0 if it is not known
 * @param how what noticed, or why it lives
 * @param millis that this took
 */
record MutantVerdict(int number, boolean isKilled, long seed, String how, long millis) {
  private static final String MARK = "mutant\t";
  private static final String TRIAL = "trial\t";
  private static final String BEAT = "beat\t";
  private static final String BETWEEN = "\t";

  static MutantVerdict killed(int number, long seed, String how, long millis) {
    return new MutantVerdict(number, true, seed, how, millis);
  }

  static MutantVerdict lives(int number, String why, long millis) {
    return new MutantVerdict(number, false, 0, why, millis);
  }

  /** Returns the line that a process sends to its parent. */
  String toLine() {
    return MARK
        + String.join(
            BETWEEN,
            Integer.toString(number),
            Boolean.toString(isKilled),
            Long.toString(seed),
            Long.toString(millis),
            how.replaceAll("\\s+", " "));
  }

  /** Returns the line that a process sends before it tries a mutant. */
  static String trial(int number) {
    return TRIAL + number;
  }

  /** Returns the line that a process sends while it tries a mutant. */
  static String beat(long number) {
    return BEAT + number;
  }

  static boolean isBeat(String line) {
    return line.startsWith(BEAT);
  }

  /** Returns the mutant that a process tried last; the first one if it has sent nothing. */
  static int onTrial(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(TRIAL))
        .map(line -> Integer.valueOf(line.substring(TRIAL.length())))
        .reduce(0, (_, last) -> last);
  }

  static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  static MutantVerdict read(String line) {
    String[] parts = line.split(BETWEEN, 6);
    return new MutantVerdict(
        Integer.parseInt(parts[1]),
        Boolean.parseBoolean(parts[2]),
        Long.parseLong(parts[3]),
        parts[5],
        Long.parseLong(parts[4]));
  }

  /** Returns the checker alone, without how it was broken. */
  String checker() {
    int colon = how.indexOf(':');
    return isKilled && colon > 0 ? how.substring(0, colon) : how;
  }
}
