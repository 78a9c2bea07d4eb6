package dev.hapax.inbox;

import dev.hapax.run.InboxOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What the sender of an event is told.
 *
 * @param event the id of its record in the inbox
 * @param run the id of the run that answers it, if there is one
 * @param detail why it was not accepted
 */
public record Acknowledgement(
    String event, InboxOutcome outcome, @Nullable String run, @Nullable String detail) {}
