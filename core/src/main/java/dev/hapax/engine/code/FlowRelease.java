package dev.hapax.engine.code;

import dev.hapax.flow.Run;
import org.jspecify.annotations.Nullable;

/**
 * A release of a flow.
 *
 * @param tenant whose flow it is; null for all tenants that have no such flow themselves
 */
public record FlowRelease(@Nullable String tenant, String flow, int number) {
  public static FlowRelease of(Run run) {
    return new FlowRelease(run.tenant(), run.flow(), run.release());
  }

  /** Whether the code of this release serves runs of the other one. */
  public boolean serves(FlowRelease other) {
    return flow.equals(other.flow)
        && number == other.number
        && (tenant == null || tenant.equals(other.tenant));
  }
}
