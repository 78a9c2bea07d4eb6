package dev.hapax.app.reconcile;

import dev.hapax.flows.step.DestinationList;
import dev.hapax.flows.step.EffectLookup;
import org.jspecify.annotations.Nullable;

/** Finds what the steps of a release say about their objects at the destination. */
public interface ReconcileSources {
  /** Returns null if there is no such release or step, or if it has no list. */
  @Nullable DestinationList list(String tenant, String flow, int release, String step);

  /** Returns null if there is no such release or step, or if its guard has no lookup. */
  @Nullable EffectLookup lookup(String tenant, String flow, int release, String step);

  /** Whether people want to hear of differences in what this flow sent. */
  boolean alertsOf(String tenant, String flow);
}
