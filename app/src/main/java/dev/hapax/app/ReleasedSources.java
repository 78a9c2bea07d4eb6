package dev.hapax.app;

import dev.hapax.app.reconcile.ReconcileSources;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.flow.Alert;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.step.DestinationList;
import dev.hapax.flows.step.EffectLookup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What released flow files say about their objects at destinations.
 *
 * @param files of each tenant
 */
record ReleasedSources(LiveFlows live, LiveFlows.FilesOfTenant files) implements ReconcileSources {
  @Override
  public @Nullable DestinationList list(String tenant, String flow, int release, String step) {
    LoadedFlow found = live.release(tenant, flow, release);
    return found == null ? null : files.of(tenant).listOf(found, step);
  }

  @Override
  public @Nullable EffectLookup lookup(String tenant, String flow, int release, String step) {
    LoadedFlow found = live.release(tenant, flow, release);
    return found == null ? null : files.of(tenant).lookupOf(found, step);
  }

  @Override
  public boolean alertsOf(String tenant, String flow) {
    return !files
        .of(tenant)
        .planOf(flow)
        .channels()
        .getOrDefault(Alert.DIFFERENCES, List.of())
        .isEmpty();
  }
}
