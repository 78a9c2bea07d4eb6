package dev.hapax.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one run writes in one commit: all of it, or nothing if its head does not hold.
 *
 * @param op its identity, made once: a store that finds it in the journal knows that the group has
 *     landed
 * @param entries the journal row's entries as JSON text; null if the group adds nothing to the
 *     journal
 */
public record Group(
    long op, Instant at, Head head, List<Change> changes, @Nullable String entries) {}
