package dev.hapax.flows.graph;

/**
 * The maximum width of a text. The viewer's fonts are unknown, so widths are those of the widest
 * usual ones (Verdana, DejaVu Sans): a text may be shorter, and never overflows.
 */
final class TextWidth {
  private static final String NARROW = "iljI|!.,:;'`()[]{}tfr -/\\\"";
  private static final String BROAD = "mwMW@%…—&";

  private TextWidth() {}

  static double of(String text, TextStyle style) {
    return text.codePoints().mapToDouble(TextWidth::inEm).sum() * style.size() * style.breadth();
  }

  private static double inEm(int point) {
    if (NARROW.indexOf(point) >= 0) {
      return 0.42;
    }
    if (BROAD.indexOf(point) >= 0 || point > 0xFF) {
      return 1.05;
    }
    return Character.isUpperCase(point) ? 0.78 : 0.65;
  }

  /** Returns as much of a text as fits, in one line and without control characters. */
  static String cut(String text, TextStyle style, double room) {
    String plain = text.replaceAll("[\\p{Cntrl}\\p{Cs}\\s]+", " ").strip();
    if (of(plain, style) <= room) {
      return plain;
    }
    int[] points = plain.codePoints().toArray();
    int length = points.length;
    while (length > 0 && of(new String(points, 0, length) + "…", style) > room) {
      length--;
    }
    return new String(points, 0, length).stripTrailing() + "…";
  }
}
