package dev.hapax;

import dev.hapax.flow.InboxOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the sender of an event.
 *
 * @param event the id of its record in the inbox
 * @param run the id of the run for this event, if there is one
 * @param detail why the event was not accepted
 */
public record Acknowledgement(
    String event, InboxOutcome outcome, @Nullable String run, @Nullable String detail) {}
