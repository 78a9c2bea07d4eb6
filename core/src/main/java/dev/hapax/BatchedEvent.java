package dev.hapax;

import org.jspecify.annotations.Nullable;

/**
 * An event in a batch that is received in one commit.
 *
 * @param source what it starts
 * @param conflict why it starts nothing: its id belongs to another event; null if it does not
 */
public record BatchedEvent(Event event, Source<?, ?> source, @Nullable String conflict) {
  public BatchedEvent(Event event, Source<?, ?> source) {
    this(event, source, null);
  }
}
