package dev.hapax.testkit.mutant;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A small fault in production code, written as a change of its source, so that a reader sees what
 * is broken. Nothing in production code refers to it.
 *
 * @param fault what is wrong, as a sentence
 * @param type the top-level class in whose file it is
 * @param text that occurs once in that file, however it is broken into lines
 * @param instead the text that replaces it in the mutant
 * @param dies the test that must notice
 */
public record Mutant(String fault, String type, String text, String instead, Seeds dies) {
  private static final Pattern TOKEN = Pattern.compile("\\w+|[^\\w\\s]");

  /**
   * Returns the mutant's source.
   *
   * @throws NoLongerApplies if the text does not occur exactly once
   */
  String in(String source) {
    Matcher place = place().matcher(source);
    long places = place.results().count();
    if (places != 1) {
      throw new NoLongerApplies(
          "%s holds this %d times, and must hold it once: %s%nLook for what does it now, and change the mutant \"%s\""
              .formatted(type, places, text, fault));
    }
    return place.reset().replaceAll(Matcher.quoteReplacement(instead));
  }

  /** The formatter may put a line break between any two tokens. */
  private Pattern place() {
    List<String> tokens = TOKEN.matcher(text).results().map(token -> token.group()).toList();
    String all = tokens.stream().map(Pattern::quote).collect(Collectors.joining("\\s*"));
    String begin = isWord(tokens.getFirst()) ? "\\b" : "";
    String end = isWord(tokens.getLast()) ? "\\b" : "";
    return Pattern.compile(begin + all + end);
  }

  private static boolean isWord(String token) {
    return Character.isJavaIdentifierPart(token.charAt(0));
  }

  @Override
  public String toString() {
    return "%s: %s".formatted(type.substring(type.lastIndexOf('.') + 1), fault);
  }

  /** The source has changed where the mutant was. */
  static final class NoLongerApplies extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoLongerApplies(String message) {
      super(message);
    }
  }
}
