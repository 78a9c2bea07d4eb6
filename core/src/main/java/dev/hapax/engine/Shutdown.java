package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.StoreClosed;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes an engine, part by part. Runs in memory are written out at their next step, so that
 * nothing is left in doubt. A run that reaches no step in time continues from its journal when the
 * store is opened again.
 */
record Shutdown(
    EngineParts parts,
    EngineStatus status,
    RunExecutor executor,
    Suspects suspects,
    RetentionWork retention,
    Heartbeat heartbeat,
    RestoreHold hold) {
  private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

  void close(Duration atMost) {
    status.closing();
    retention.close();
    if (!status.isBroken() && !executor.awaitEmpty(atMost)) {
      log.warn(
          "{} runs did not reach their next step within {}; they continue from their journals",
          executor.inMemory().size(),
          atMost);
      suspects.closesWith(executor.inMemory());
    }
    status.closed();
    heartbeat.close();
    if (!hold.holds()) {
      parts.timer().close();
    }
    parts.committer().close();
    retention.closeExport();
    parts.endings().close(new StoreClosed());
    parts.ledger().close();
    if (!status.isBroken() && heartbeat.isShared() && parts.ledger().areAttemptsUnderWay()) {
      parts.threads().platform("hapax-lease", this::keepLease);
    } else {
      parts.store().close();
    }
  }

  /**
   * A request that was sent may still arrive. Until the code that sends it has returned, no other
   * node may take over its run and send it again.
   */
  private void keepLease() {
    log.info("the code of some effects has not returned; this node keeps its lease until it has");
    heartbeat.keepLeaseWhile(parts.ledger()::awaitReturn);
    parts.store().close();
  }
}
