package dev.hapax.run;

import java.util.Locale;

/** What became of an event, in the words of the public contract. */
public enum InboxOutcome {
  /** It started a run. */
  ACCEPTED,
  /** It, or what it asks for, came before; the first run answers. */
  DUPLICATE,
  /** A newer version of its object came before; it starts nothing. */
  STALE,
  /** The key of its run belongs to another input. */
  CONFLICTING,
  /** No input could be made of it. It can be tried again. */
  INVALID,
  /** It was not let in, by a limit. It can be tried again. */
  REJECTED;

  private final String word = name().toLowerCase(Locale.ROOT);

  public String word() {
    return word;
  }

  public static InboxOutcome of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  public boolean canBeTriedAgain() {
    return this == INVALID || this == REJECTED;
  }
}
