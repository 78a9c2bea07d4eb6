package dev.hapax.run;

import java.time.Instant;

/** What is left of a run whose retention is over: enough to say "already done, expired". */
public record Tombstone(long number, RunId id, String tenant, RunStatus status, Instant endedAt) {}
