package dev.hapax.flow;

import java.util.Locale;

/**
 * What happens when a run meets its own {@code create} or {@code notify} again and the content
 * differs: in a later round of a rework, or after a retry with a corrected input.
 */
public enum OnRework {
  /** The first result is used again, and nothing is sent. The history says that it differs. */
  REUSE,
  /**
   * A person decides: {@code happened} keeps what was sent, {@code not-happened} sends the new
   * content as the next revision.
   */
  REVIEW,
  /**
   * What was sent is undone by its compensation, and then the new content is sent as the next
   * revision.
   */
  REVISE;

  private final String word = name().toLowerCase(Locale.ROOT);

  public String word() {
    return word;
  }
}
