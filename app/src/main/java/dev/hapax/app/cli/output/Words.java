package dev.hapax.app.cli.output;

/** Small texts. */
public final class Words {
  private Words() {}

  /** {@code 1 file}, {@code 2 files}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** Returns a word of a command that a person may copy into a shell. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /**
   * Replaces characters that could move the cursor, end a line or reverse the order of others: the
   * text comes from outside.
   */
  public static String plain(String text) {
    if (text.chars().noneMatch(Words::isDeceptive)) {
      return text;
    }
    var plain = new StringBuilder();
    text.codePoints()
        .map(c -> isDeceptive(c) && c != '\n' ? ' ' : c)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }

  /** The same in one line. */
  public static String line(String text) {
    return plain(text).replace('\n', ' ');
  }

  /** Escapes the same characters in a JSON document, where they are only inside of strings. */
  static String escaped(String json) {
    if (json.chars().noneMatch(Words::isDeceptive)) {
      return json;
    }
    var escaped = new StringBuilder();
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      escaped.append(isDeceptive(c) && c != '\n' ? "\\u%04x".formatted((int) c) : c);
    }
    return escaped.toString();
  }

  /** Control characters, the line separators of Unicode, and its marks of direction. */
  private static boolean isDeceptive(int c) {
    return Character.isISOControl(c)
        || (c >= 0x2028 && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069)
        || c == 0x200e
        || c == 0x200f
        || c == 0x061c;
  }
}
