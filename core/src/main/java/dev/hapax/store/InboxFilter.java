package dev.hapax.store;

import dev.hapax.run.InboxOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Which events to list; what is null does not filter.
 *
 * @param before only events with a smaller number, to page on
 */
public record InboxFilter(
    String tenant,
    @Nullable String source,
    @Nullable InboxOutcome outcome,
    @Nullable Long number,
    @Nullable Long before,
    int limit) {
  public static InboxFilter of(String tenant) {
    return new InboxFilter(tenant, null, null, null, null, 200);
  }

  public InboxFilter source(String name) {
    return new InboxFilter(tenant, name, outcome, number, before, limit);
  }

  public InboxFilter outcome(InboxOutcome became) {
    return new InboxFilter(tenant, source, became, number, before, limit);
  }

  public InboxFilter number(long one) {
    return new InboxFilter(tenant, source, outcome, one, before, limit);
  }

  /** The same filter over what this tenant owns, whatever it named before. */
  public InboxFilter ownedBy(String owner) {
    return new InboxFilter(owner, source, outcome, number, before, limit);
  }
}
