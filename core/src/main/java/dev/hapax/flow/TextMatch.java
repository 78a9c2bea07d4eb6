package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/** Which texts to find: this one, or all that begin with it. */
public record TextMatch(String text, boolean isPrefix) {
  public static TextMatch exactly(String text) {
    return new TextMatch(text, false);
  }

  public static TextMatch beginningWith(String text) {
    return new TextMatch(text, true);
  }

  public boolean admits(@Nullable String found) {
    return found != null && (isPrefix ? found.startsWith(text) : found.equals(text));
  }
}
