package dev.hapax.app.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A tenant as the operator sees it.
 *
 * @param state "active", "suspended", "deleting" or "deleted"
 * @param quotas null if none were set
 */
record TenantView(
    String name,
    Instant createdAt,
    String createdBy,
    String state,
    TenantTerms.@Nullable Suspended suspended,
    TenantTerms.@Nullable Deletion deletion,
    @Nullable TenantQuotas quotas,
    QuotaUse use) {
  static TenantView of(TenantBook.Tenant tenant, TermsBook book) {
    TenantTerms terms = book.of(tenant.name());
    return new TenantView(
        tenant.name(),
        tenant.createdAt(),
        tenant.createdBy(),
        terms.state(),
        terms.suspended(),
        terms.deletion(),
        terms.quotas(),
        book.useOf(tenant.name()));
  }
}
