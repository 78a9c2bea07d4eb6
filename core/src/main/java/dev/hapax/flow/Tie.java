package dev.hapax.flow;

/** What to do with new content under a version that came before with other content. */
public enum Tie {
  /** The content counts as newer, and is applied. */
  APPLY,
  /** The content is refused. */
  REJECT,
  /** A person decides whether the content is applied. Only for events. */
  REVIEW
}
