package dev.hapax.app.data;

import org.jspecify.annotations.Nullable;

/**
 * What became of a conditional write.
 *
 * @param written whether it was this call that wrote
 * @param standing what stands there now; null if nothing does
 */
public record Outcome<T>(boolean written, @Nullable Stored<T> standing) {}
