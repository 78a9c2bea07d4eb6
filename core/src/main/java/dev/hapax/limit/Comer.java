package dev.hapax.limit;

/**
 * Who comes to a turnstile.
 *
 * @param at what tells the strands of a run apart
 */
public record Comer(long run, String at) {}
