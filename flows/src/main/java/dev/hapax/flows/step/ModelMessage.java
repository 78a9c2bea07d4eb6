package dev.hapax.flows.step;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question as the intent stores it: everything but the secrets, so that another attempt asks the
 * same.
 *
 * @param maxTokens of the answer
 * @param body in the words of the dialect
 */
record ModelMessage(
    String connection,
    String dialect,
    String url,
    String model,
    int maxTokens,
    Map<String, @Nullable Object> body) {}
