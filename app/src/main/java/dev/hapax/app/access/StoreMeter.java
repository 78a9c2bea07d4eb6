package dev.hapax.app.access;

import dev.hapax.flows.FlowFiles;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows about how many bytes each tenant with a quota keeps in the store. Measuring reads many
 * rows, so it happens from time to time and beside the starts; in between, each start adds the size
 * of its input. Safe for many threads.
 */
final class StoreMeter {
  private static final Logger log = LoggerFactory.getLogger(StoreMeter.class);

  /** What the rows and the first journal entries of a run take, roughly. */
  private static final long PER_RUN = 1_000;

  private static final Duration EVERY = Duration.ofSeconds(5);

  /** At most this part of the time is spent on measuring. */
  private static final long SHARE = 50;

  private final Store store;
  private final Ports ports;
  private final ConcurrentMap<String, Size> sizes = new ConcurrentHashMap<>();

  StoreMeter(Store store, Ports ports) {
    this.store = store;
    this.ports = ports;
  }

  /** The size of one tenant; guarded by itself. */
  private static final class Size {
    private boolean isKnown;
    private boolean isMeasuring;
    private long bytes;
    private long grown;
    private long nextAt;
  }

  /** Returns the size; the first question of a tenant measures it. */
  long bytes(String tenant) {
    Size size = sizes.computeIfAbsent(tenant, _ -> new Size());
    synchronized (size) {
      if (!size.isKnown) {
        keep(size, measured(tenant), 0);
      } else if (!size.isMeasuring && ports.clock().nanos() - size.nextAt >= 0) {
        size.isMeasuring = true;
        ports.threads().virtual("hapax-store-meter", () -> measure(tenant, size));
      }
      return size.bytes + size.grown;
    }
  }

  /** New runs with inputs of this size together were started. */
  void grew(String tenant, int runs, long bytes) {
    Size size = sizes.get(tenant);
    if (size != null) {
      synchronized (size) {
        size.grown += bytes + runs * PER_RUN;
      }
    }
  }

  private void measure(String tenant, Size size) {
    long grownBefore;
    synchronized (size) {
      grownBefore = size.grown;
    }
    try {
      Measured measured = measured(tenant);
      synchronized (size) {
        keep(size, measured, size.grown - grownBefore);
      }
    } catch (RuntimeException e) { // also while the store is unreachable
      log.debug("the size of tenant '{}' could not be measured; it is tried again", tenant, e);
    } finally {
      synchronized (size) {
        size.isMeasuring = false;
      }
    }
  }

  private void keep(Size size, Measured measured, long grown) {
    size.isKnown = true;
    size.bytes = measured.bytes();
    size.grown = grown;
    size.nextAt = ports.clock().nanos() + Math.max(EVERY.toNanos(), measured.nanos() * SHARE);
  }

  private Measured measured(String tenant) {
    long begin = ports.clock().nanos();
    long bytes =
        store
            .tenants()
            .content(tenant)
            .plus(store.tenants().content(FlowFiles.draftsOf(tenant)))
            .bytes();
    return new Measured(bytes, ports.clock().nanos() - begin);
  }

  /** A size, and how long it took to measure it. */
  private record Measured(long bytes, long nanos) {}
}
