package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Which events to list; null does not filter.
 *
 * @param event the id that the source gave it
 * @param repeated only events that came again
 * @param before only events with a smaller number, to page on
 */
public record InboxFilter(
    String tenant,
    @Nullable String source,
    @Nullable String event,
    @Nullable InboxOutcome outcome,
    boolean repeated,
    @Nullable Long number,
    @Nullable Long before,
    int limit) {
  public static InboxFilter of(String tenant) {
    return new InboxFilter(tenant, null, null, null, false, null, null, 200);
  }

  public InboxFilter source(@Nullable String name) {
    return new InboxFilter(tenant, name, event, outcome, repeated, number, before, limit);
  }

  public InboxFilter event(@Nullable String id) {
    return new InboxFilter(tenant, source, id, outcome, repeated, number, before, limit);
  }

  public InboxFilter outcome(@Nullable InboxOutcome became) {
    return new InboxFilter(tenant, source, event, became, repeated, number, before, limit);
  }

  /** With true, only events that came again. */
  public InboxFilter repeated(boolean only) {
    return new InboxFilter(tenant, source, event, outcome, only, number, before, limit);
  }

  public InboxFilter number(long one) {
    return new InboxFilter(tenant, source, event, outcome, repeated, one, before, limit);
  }

  /** The page after the one that ended with the event with this number. */
  public InboxFilter before(long one) {
    return new InboxFilter(tenant, source, event, outcome, repeated, number, one, limit);
  }

  public InboxFilter limit(int most) {
    return new InboxFilter(tenant, source, event, outcome, repeated, number, before, most);
  }

  /** The next page of this size, with smaller numbers than this one. */
  public InboxFilter page(@Nullable Long beforeThis, int most) {
    return new InboxFilter(tenant, source, event, outcome, repeated, number, beforeThis, most);
  }

  /** The same filter for the events of this tenant, no matter which one it named. */
  public InboxFilter ownedBy(String owner) {
    return new InboxFilter(owner, source, event, outcome, repeated, number, before, limit);
  }
}
