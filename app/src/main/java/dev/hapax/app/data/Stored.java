package dev.hapax.app.data;

/**
 * A record as it stands.
 *
 * @param name of the record below its kind's prefix, see {@link Records#name}
 * @param version of the write that made it as it is; never comes again, so it is good as an ETag
 */
public record Stored<T>(String name, T value, long version) {}
