package dev.hapax.app.access;

import org.jspecify.annotations.Nullable;

/**
 * What a tenant uses of its quotas now; null where it is only counted under a quota.
 *
 * @param runsToday new runs of this day in UTC, on all nodes together
 * @param runsInMemory on the node that answers
 * @param storeBytes approximate, and some seconds old
 * @param streams on the node that answers
 * @param callsAtOnce on the node that answers
 */
record QuotaUse(
    @Nullable Long runsToday,
    int runsInMemory,
    @Nullable Long storeBytes,
    int streams,
    @Nullable Integer callsAtOnce) {}
