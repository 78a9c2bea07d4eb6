package dev.hapax.store.jdbc;

import dev.hapax.flow.Activity;
import dev.hapax.flow.TenantContent;
import dev.hapax.store.ErasablePage;
import dev.hapax.store.OpenWork;
import dev.hapax.store.TenantReads;

/** Answers questions about tenants, each from one snapshot. */
final class TenantQueries implements TenantReads {
  private final RetentionQueries.Asking asking;

  TenantQueries(RetentionQueries.Asking asking) {
    this.asking = asking;
  }

  @Override
  public TenantContent content(String tenant) {
    return asking.ask(reader -> reader.tenants().content(tenant));
  }

  @Override
  public ErasablePage erasable(String tenant, ErasablePage.After after, int limit) {
    return asking.ask(reader -> reader.tenants().erasable(tenant, after, limit));
  }

  @Override
  public long runsSince(String tenant, long first) {
    return asking.ask(reader -> reader.tenants().runsSince(tenant, first));
  }

  @Override
  public OpenWork open(int newest) {
    return asking.ask(reader -> reader.openWork(newest));
  }

  @Override
  public Activity activity(String tenant, Activity.Span span) {
    return asking.ask(reader -> reader.activity(tenant, span));
  }
}
