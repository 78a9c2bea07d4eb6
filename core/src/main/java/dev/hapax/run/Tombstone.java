package dev.hapax.run;

import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import java.time.Instant;

/** The remains of a run after its retention: enough to say "already done, expired". */
public record Tombstone(long number, RunId id, String tenant, RunStatus status, Instant endedAt) {}
