package dev.hapax.app.http;

import dev.hapax.Hapax;

/** The engine as a tenant sees it. */
@FunctionalInterface
public interface Tenants {
  /** The engine of which this tenant sees its own part. */
  Hapax hapax(String tenant);
}
