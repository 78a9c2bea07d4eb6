package dev.hapax.engine;

import dev.hapax.engine.code.FlowRegistry;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.flow.Flow;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Applies the limits of a flow when its code arrives, and wakes the runs that waited for the code.
 *
 * @param lookForOthers finds runs that were left to other nodes
 */
record CodeArrivals(
    FlowRates rates,
    RetentionWork retention,
    MissingCode missing,
    WaitingForCode waiting,
    LongConsumer wake,
    Runnable lookForOthers)
    implements FlowRegistry.Listener {

  @Override
  public void arrived(FlowRelease release, Flow<?, ?> flow) {
    rates.register(release.tenant(), flow);
    wakeThoseFor(release::serves);
    retention.register(release.tenant(), flow);
  }

  @Override
  public void anyMayHaveArrived() {
    wakeThoseFor(_ -> true);
  }

  private void wakeThoseFor(Predicate<FlowRelease> isThere) {
    missing.forget(isThere);
    waiting.remove(isThere).forEach(wake::accept);
    lookForOthers.run();
  }
}
