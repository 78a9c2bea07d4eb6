package dev.hapax.app.cli;

/** Small texts. */
final class Words {
  private Words() {}

  /** {@code 1 file}, {@code 2 files}. */
  static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** Replaces control characters that could move the cursor: the text comes from outside. */
  static String plain(String text) {
    if (text.chars().noneMatch(Character::isISOControl)) {
      return text;
    }
    var plain = new StringBuilder();
    text.codePoints()
        .map(c -> Character.isISOControl(c) && c != '\n' ? ' ' : c)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }
}
