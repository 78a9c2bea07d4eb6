package dev.hapax.run;

/**
 * A run under a key that had one before.
 *
 * @param number how many runs had the key before it
 * @param renews as in {@link Succession}
 * @param holder the run, or its tombstone
 */
public record Generation(int number, boolean renews, KeyHolder holder) {}
