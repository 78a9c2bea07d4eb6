package dev.hapax.flow;

import java.util.Locale;

/** The outcome of an event, in the words of the public contract. */
public enum InboxOutcome {
  /** It started a run. */
  ACCEPTED,
  /** The event, or its request, came before; the first run answers. */
  DUPLICATE,
  /** A newer version of its object came before; it starts nothing. */
  STALE,
  /** The key of its run belongs to another input. */
  CONFLICTING,
  /** No input could be made of it. It can be tried again. */
  INVALID,
  /** A limit or its source's rule for ties did not let it in. It can be tried again. */
  REJECTED,
  /**
   * Its version came before with other content, and a person decides: to try it again applies it.
   */
  REVIEW;

  private final String word = name().toLowerCase(Locale.ROOT);

  public String word() {
    return word;
  }

  public static InboxOutcome of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  public boolean canBeTriedAgain() {
    return this == INVALID || this == REJECTED || this == REVIEW;
  }
}
