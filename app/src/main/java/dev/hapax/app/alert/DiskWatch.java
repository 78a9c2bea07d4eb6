package dev.hapax.app.alert;

import dev.hapax.Hapax;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Message;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.time.Clock;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alerts the operator when the disk of the data folder is almost full, once each time that it
 * becomes so. One thread uses it.
 */
public final class DiskWatch {
  private static final Logger log = LoggerFactory.getLogger(DiskWatch.class);
  private static final long MIB = 1L << 20;

  private final Hapax operator;
  private final LongSupplier free;
  private final long least;
  private final Clock clock;
  private boolean isLow;

  /**
   * Watches a disk.
   *
   * @param operator the engine, for the tenant that gets the alert
   * @param free the bytes that are free
   * @param least the alert is sent when fewer are free
   */
  public DiskWatch(Hapax operator, LongSupplier free, long least, Clock clock) {
    this.operator = operator;
    this.free = free;
    this.least = least;
    this.clock = clock;
  }

  /** Looks once. A look that cannot write its alert is repeated at the next one. */
  public void look() {
    long now = free.getAsLong();
    if (now >= least) {
      isLow = false;
      return;
    }
    if (isLow) {
      return;
    }
    String note =
        "%,d MiB are free on the disk of the data folder, fewer than %,d MiB. Free space: when the disk is full, the server accepts no work"
            .formatted(now / MIB, least / MIB);
    log.error("the disk is almost full: {}", note);
    var _ =
        operator
            .outbox()
            .publish(
                "disk-low/" + clock.now(),
                Message.to(AlertDesk.DESTINATION)
                    .type(Alert.DISK_LOW.type())
                    .data(Map.of("alert", Alert.DISK_LOW.word(), "note", note)));
    isLow = true;
  }
}
