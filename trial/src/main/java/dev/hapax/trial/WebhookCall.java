package dev.hapax.trial;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A delivery to a webhook of a flow, which counts as genuine: it is not signed.
 *
 * @param path of the trigger; null if the flow has one webhook
 * @param body JSON
 */
public record WebhookCall(@Nullable String path, Map<String, String> headers, @Nullable Object body)
    implements TrialEvent {}
