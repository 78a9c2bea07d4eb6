package dev.hapax.app.http;

import dev.hapax.Hapax;

/** The engine as a tenant sees it. */
@FunctionalInterface
public interface Tenants {
  /** Returns the engine restricted to this tenant's own part. */
  Hapax hapax(String tenant);
}
