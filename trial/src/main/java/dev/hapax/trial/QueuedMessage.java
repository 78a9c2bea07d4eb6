package dev.hapax.trial;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message of a queue that a flow reads.
 *
 * @param queue the name of the trigger; null if the flow has one queue
 * @param id the broker's id of the message; null: made from its content, so that the same message
 *     is a repeat
 * @param place where the broker has it, such as its partition and offset
 * @param body JSON, or a text if it is not to be JSON
 */
public record QueuedMessage(
    @Nullable String queue,
    @Nullable String id,
    @Nullable String key,
    Map<String, String> headers,
    Map<String, Object> place,
    @Nullable Object body)
    implements TrialEvent {}
