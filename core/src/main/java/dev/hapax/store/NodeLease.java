package dev.hapax.store;

import java.time.Instant;

/**
 * A node that may write to a shared store. Its times are of the store's own clock.
 *
 * @param mark the node's part of every number that it makes, see {@link Store#mark}
 * @param since the lease was held without a gap since then
 * @param renewedAt when it last reported
 * @param expiresAt when others take over its runs if it does not report again
 * @param runs how many runs it has in memory
 */
public record NodeLease(int mark, Instant since, Instant renewedAt, Instant expiresAt, long runs) {}
