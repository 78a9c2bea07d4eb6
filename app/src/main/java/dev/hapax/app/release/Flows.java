package dev.hapax.app.release;

import dev.hapax.flows.BadFlowFile;
import dev.hapax.flows.LoadedFlow;
import org.jspecify.annotations.Nullable;

/** Finds the release that a start gets. Safe for many threads. */
@FunctionalInterface
public interface Flows {
  /** Returns the live release of a flow, ready to be started; null if there is none. */
  @Nullable LoadedFlow find(String tenant, String flow);

  /** As above, for lists of flows: also null if this version of Hapax cannot read the release. */
  default @Nullable LoadedFlow findReadable(String tenant, String flow) {
    try {
      return find(tenant, flow);
    } catch (BadFlowFile e) {
      return null; // it was logged
    }
  }
}
