package dev.hapax.json;

/** Makes texts from outside, such as exception messages and evidence, storable. */
public final class Text {
  private static final int LONGEST = 10_000;

  private Text() {}

  /** Returns the class and message of a throwable, even if its own code throws. */
  public static String of(Throwable thrown) {
    return thrown.getClass().getName() + ": " + messageOf(thrown);
  }

  /** Returns the message of a throwable, even if its own code throws. */
  @SuppressWarnings("CatchingThrowable")
  public static String messageOf(Throwable thrown) {
    try {
      return String.valueOf(thrown.getMessage());
    } catch (Throwable e) {
      return "its message cannot be read: " + e.getClass().getName();
    }
  }

  /**
   * Returns the text with a limited length, and without the characters that no database stores
   * unchanged (NUL, lone surrogates).
   */
  public static String storable(String text) {
    String bounded = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    StringBuilder mended = null;
    for (int i = 0; i < bounded.length(); i++) {
      if (!isStorableAt(bounded, i)) {
        mended = mended == null ? new StringBuilder(bounded) : mended;
        mended.setCharAt(i, '\uFFFD');
      }
    }
    return mended == null ? bounded : mended.toString();
  }

  /** Returns the first characters of the text, without half of a pair of surrogates. */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }

  public static boolean isStorable(String text) {
    return text.length() <= LONGEST && storable(text).equals(text);
  }

  /**
   * Returns whether the text has more bytes than this in UTF-8. For most texts the length suffices.
   */
  public static boolean isLonger(String text, int bytes) {
    if (text.length() > bytes) {
      return true;
    }
    if (text.length() <= bytes / 3) {
      return false; // a character has at most three bytes; a pair of surrogates four
    }
    int count = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      count += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return count > bytes;
  }

  private static boolean isStorableAt(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
    return c != 0;
  }
}
