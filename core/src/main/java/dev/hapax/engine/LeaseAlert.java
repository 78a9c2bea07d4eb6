package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.Alert;
import dev.hapax.flow.StoreBroken;
import dev.hapax.run.NewRun;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alerts people that a process has lost its lease. The process itself can write nothing any more,
 * so the node that continues its runs does it.
 */
final class LeaseAlert {
  private static final Logger log = LoggerFactory.getLogger(LeaseAlert.class);

  private final EngineParts parts;

  LeaseAlert(EngineParts parts) {
    this.parts = parts;
  }

  /** Does not wait for the store: the heartbeat calls it. */
  void adopted(int runs) {
    long number = parts.ids().next();
    String occurrence = Long.toString(parts.owner(), 36) + "/" + Long.toString(number, 36);
    String note =
        "a process lost its lease or ended without closing; %d runs that it had in memory continue from their journals on another one"
            .formatted(runs);
    NewRun alert = parts.alerts().aboutNode(Alert.LEASE_LOST, occurrence, note, number);
    if (alert != null) {
      parts.guard().virtual("hapax-lease-alert", () -> write(alert));
    }
  }

  private void write(NewRun alert) {
    try {
      var _ = parts.starts().commit(List.of(), List.of(alert));
    } catch (StoreBroken e) {
      throw e;
    } catch (RuntimeException e) { // also a full store, or one that was just restored
      log.warn("the alert '{}' could not be written: {}", Alert.LEASE_LOST.word(), e.getMessage());
    }
  }
}
