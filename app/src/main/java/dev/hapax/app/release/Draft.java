package dev.hapax.app.release;

import java.time.Instant;

/**
 * A flow file that is not released yet, and may be wrong.
 *
 * @param text YAML as it was put
 * @param author its writer
 */
public record Draft(String text, String author, Instant updatedAt) {}
