package dev.hapax.flows.format;

/** Double quotes, except around a text that would then need a backslash. */
final class Quotes {
  private Quotes() {}

  /** Returns a text of one line as it is written; a text without quotes stays without them. */
  static String of(String source) {
    if (source.length() < 2 || !source.startsWith("'") || !source.endsWith("'")) {
      return source;
    }
    String content = source.substring(1, source.length() - 1).replace("''", "'");
    return content.contains("\"") || content.contains("\\") ? source : '"' + content + '"';
  }
}
