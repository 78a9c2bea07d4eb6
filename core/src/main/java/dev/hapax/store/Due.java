package dev.hapax.store;

import java.time.Instant;

/** A run and the time at which it is to be taken up again. */
public record Due(Instant at, long run) {}
