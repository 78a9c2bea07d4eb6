package dev.hapax.json;

/**
 * Words of others that are kept: messages of exceptions, evidence. Whatever they hold, they can be
 * stored.
 */
public final class Text {
  private static final int LONGEST = 10_000;

  private Text() {}

  /** What a throwable is and says, whatever its own code does when it is asked. */
  public static String of(Throwable thrown) {
    return thrown.getClass().getName() + ": " + messageOf(thrown);
  }

  /** What a throwable says, whatever its own code does when it is asked. */
  @SuppressWarnings("CatchingThrowable")
  public static String messageOf(Throwable thrown) {
    try {
      return String.valueOf(thrown.getMessage());
    } catch (Throwable e) {
      return "its message cannot be told: " + e.getClass().getName();
    }
  }

  /**
   * The text without what no database stores unchanged (NUL, lone surrogates), and not endlessly
   * long.
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

  public static boolean isStorable(String text) {
    return text.length() <= LONGEST && storable(text).equals(text);
  }

  /** Whether the text has more bytes than this in UTF-8; for nearly every text a glance says so. */
  public static boolean isLonger(String text, int bytes) {
    if (text.length() > bytes) {
      return true;
    }
    if (text.length() <= bytes / 3) {
      return false; // a character has at most three; a pair of surrogates four
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
