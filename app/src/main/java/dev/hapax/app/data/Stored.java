package dev.hapax.app.data;

/**
 * A record with its current version.
 *
 * @param name of the record below its kind's prefix, see {@link Records#name}
 * @param version of its last write; never used again, so it is good as an ETag
 */
public record Stored<T>(String name, T value, long version) {}
