package dev.hapax.app.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the operator has decided about a tenant.
 *
 * @param suspended null if the tenant is not suspended
 * @param quotas null if none were set
 * @param deletion null if the tenant is not deleted; a deleted one stays suspended
 */
public record TenantTerms(
    String tenant,
    @Nullable Suspended suspended,
    @Nullable TenantQuotas quotas,
    @Nullable Deletion deletion) {
  /** Why, when and by whom the tenant was suspended. */
  public record Suspended(String reason, Instant at, String by) {}

  /**
   * Why, when and by whom the tenant was deleted.
   *
   * @param forced whether effects were open
   * @param rows that it had at the beginning
   * @param doneAt when everything was erased; null before
   */
  public record Deletion(
      String reason, Instant at, String by, boolean forced, long rows, @Nullable Instant doneAt) {
    Deletion done(Instant now) {
      return new Deletion(reason, at, by, forced, rows, now);
    }
  }

  /** The terms of a tenant about which nothing was decided. */
  static TenantTerms usual(String tenant) {
    return new TenantTerms(tenant, null, null, null);
  }

  TenantTerms suspended(@Nullable Suspended how) {
    return new TenantTerms(tenant, how, quotas, deletion);
  }

  TenantTerms quotas(TenantQuotas limits) {
    return new TenantTerms(
        tenant, suspended, limits.equals(TenantQuotas.NONE) ? null : limits, deletion);
  }

  TenantTerms deletion(Deletion how) {
    return new TenantTerms(tenant, suspended, quotas, how);
  }

  /** Returns {@code active}, {@code suspended}, {@code deleting} or {@code deleted}. */
  String state() {
    if (deletion != null) {
      return deletion.doneAt() == null ? "deleting" : "deleted";
    }
    return suspended == null ? "active" : "suspended";
  }
}
