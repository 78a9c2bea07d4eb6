package dev.hapax.limit;

/**
 * A call that waits at a limiter.
 *
 * @param at distinguishes the fibers of a run
 */
public record WaitingCall(long run, String at) {}
