package dev.hapax.app.cli.output;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Small texts. */
public final class Words {
  private static final Pattern COLOUR = Pattern.compile("\033\\[[0-9;]{0,20}m");

  private Words() {}

  /** {@code 1 file}, {@code 2 files}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /**
   * Returns a word of a command that a person may copy into a shell. One with characters that are
   * not shown as they are is quoted with escapes, so that the command means the same word.
   */
  public static String quoted(String word) {
    if (word.chars().noneMatch(Words::isDeceptive)) {
      return "'" + word.replace("'", "'\\''") + "'";
    }
    var quoted = new StringBuilder("$'");
    word.chars()
        .forEach(
            c ->
                quoted.append(
                    isDeceptive(c)
                        ? "\\u%04x".formatted(c)
                        : c == '\'' || c == '\\' ? "\\" + (char) c : String.valueOf((char) c)));
    return quoted.append('\'').toString();
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

  /**
   * The last look at a text before it is printed: only line breaks, tabs and the colours of {@link
   * Paint} stay of those characters. Values are made plain before they are put into a text, because
   * here a colour of ours looks like a colour of theirs.
   */
  static String printable(String text, boolean withColours) {
    if (text.chars().noneMatch(c -> c != '\n' && isDeceptive(c))) {
      return text;
    }
    var printable = new StringBuilder();
    Matcher colour = COLOUR.matcher(text);
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (withColours && c == '\033' && colour.region(at, text.length()).lookingAt()) {
        printable.append(colour.group());
        at = colour.end();
      } else {
        printable.append(isDeceptive(c) && c != '\n' && c != '\t' ? ' ' : c);
        at++;
      }
    }
    return printable.toString();
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
