package dev.hapax.admission;

import dev.hapax.flow.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A wish to start a run.
 *
 * @param key given by the caller; the flow's own key, if it computes one, must agree
 */
public record AdmissionRequest<I>(String tenant, Flow<I, ?> flow, I input, @Nullable String key) {}
