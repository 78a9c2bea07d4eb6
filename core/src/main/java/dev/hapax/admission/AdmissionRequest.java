package dev.hapax.admission;

import dev.hapax.flow.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A request to start a run.
 *
 * @param key from the caller; if the flow computes a key, both must be equal
 */
public record AdmissionRequest<I>(String tenant, Flow<I, ?> flow, I input, @Nullable String key) {}
