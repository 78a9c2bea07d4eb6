package dev.hapax.app.data;

import org.jspecify.annotations.Nullable;

/**
 * The result of a conditional write.
 *
 * @param written whether this call wrote
 * @param standing the record as it is now; null if there is none
 */
public record Outcome<T>(boolean written, @Nullable Stored<T> standing) {}
