package dev.hapax;

import dev.hapax.flow.InboxEvent;
import org.jspecify.annotations.Nullable;

/** Finds what a source of events starts now, for sources that can change their flow. */
@FunctionalInterface
public interface EventSources {
  /** Returns null if the source starts nothing any more. */
  @Nullable Source<?, ?> find(String tenant, InboxEvent event);
}
