package dev.hapax.flow;

/**
 * What the store keeps of one tenant.
 *
 * @param runs also those that have ended and are kept
 * @param expiredRuns of which only the key is remembered
 * @param openEffects those that are neither done nor given up: in flight, in doubt or in review
 * @param expiredEffects of which only the key is remembered
 * @param entries of the durable map, also those that have expired
 * @param jobs also their items
 * @param bytes the texts and large values of all of these, and {@link #PER_ROW} for each row; the
 *     database itself needs more for its indexes and free pages
 */
public record TenantContent(
    long runs,
    long expiredRuns,
    long journalRows,
    long effects,
    long openEffects,
    long expiredEffects,
    long events,
    long waits,
    long entries,
    long schedules,
    long resources,
    long jobs,
    long bytes) {
  /** Roughly what the numbers, times and keys of a row take. */
  public static final int PER_ROW = 100;

  public boolean hasNothing() {
    return runs == 0
        && expiredRuns == 0
        && effects == 0
        && expiredEffects == 0
        && events == 0
        && waits == 0
        && entries == 0
        && schedules == 0
        && resources == 0
        && jobs == 0;
  }

  /** All rows together. */
  public long rows() {
    return runs
        + expiredRuns
        + journalRows
        + effects
        + expiredEffects
        + events
        + waits
        + entries
        + schedules
        + resources
        + jobs;
  }

  public TenantContent plus(TenantContent other) {
    return new TenantContent(
        runs + other.runs,
        expiredRuns + other.expiredRuns,
        journalRows + other.journalRows,
        effects + other.effects,
        openEffects + other.openEffects,
        expiredEffects + other.expiredEffects,
        events + other.events,
        waits + other.waits,
        entries + other.entries,
        schedules + other.schedules,
        resources + other.resources,
        jobs + other.jobs,
        bytes + other.bytes);
  }
}
