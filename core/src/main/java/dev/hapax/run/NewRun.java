package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that is about to be written. Its number is made for this one try, so finding it in the
 * store means "mine".
 */
public record NewRun(
    long number,
    RunId id,
    String tenant,
    String flow,
    int release,
    String key,
    Fingerprint fingerprint,
    String input,
    @Nullable Instant timeoutAt) {}
