package dev.hapax.engine;

import dev.hapax.engine.parts.Pauses;
import dev.hapax.flow.TenantLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the runs of a tenant out of memory while the tenant is held back, or has as many runs in
 * memory as it may have. Such a run stays in the store without an owner. This class only remembers
 * its number, to wake the run when it may enter. Safe for many threads.
 */
final class TenantGate implements Pauses {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final int MOST_REMEMBERED = 100_000;

  private final TenantLimits limits;
  private final BooleanSupplier closing;
  private final LongConsumer wake;
  private final Runnable lookAtAll;
  private final BiConsumer<Duration, Runnable> later;
  // All guarded by this.
  private final Map<Long, String> inMemory = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final Map<Long, String> waiting = new LinkedHashMap<>();
  private boolean hasForgotten;
  private boolean looksAgain;

  /**
   * A gate that lets runs in by these limits.
   *
   * @param wake takes up a run
   * @param lookAtAll takes up every run that is due
   * @param later does something after a delay
   */
  TenantGate(
      TenantLimits limits,
      BooleanSupplier closing,
      LongConsumer wake,
      Runnable lookAtAll,
      BiConsumer<Duration, Runnable> later) {
    this.limits = limits;
    this.closing = closing;
    this.wake = wake;
    this.lookAtAll = lookAtAll;
    this.later = later;
  }

  @Override
  public boolean getAsBoolean() {
    return closing.getAsBoolean();
  }

  @Override
  public boolean concern(String tenant) {
    return closing.getAsBoolean() || limits.isHeld(tenant);
  }

  boolean holds(String tenant) {
    return limits.isHeld(tenant);
  }

  /** Lets a run in, until {@link #left}; false if its tenant must wait. */
  synchronized boolean enters(String tenant, long run) {
    if (limits.equals(TenantLimits.NONE) || inMemory.containsKey(run)) {
      return true;
    }
    if (isFull(tenant)) {
      return false;
    }
    waiting.remove(run);
    inMemory.put(run, tenant);
    counts.merge(tenant, 1, Integer::sum);
    return true;
  }

  /**
   * Lets a run in together with its place. Null if its tenant must wait, or if it gets no place; it
   * does not count then.
   */
  <P> @Nullable P entersWith(String tenant, long run, Supplier<@Nullable P> takePlace) {
    boolean wasIn;
    synchronized (this) {
      wasIn = inMemory.containsKey(run);
      if (!enters(tenant, run)) {
        return null;
      }
    }
    P place = null;
    try {
      place = takePlace.get();
      return place;
    } finally {
      if (place == null && !wasIn) {
        left(run);
      }
    }
  }

  /** As {@link #enters}; a run that must wait is woken when it may enter. */
  synchronized boolean entersOrWaits(String tenant, long run) {
    if (enters(tenant, run)) {
      return true;
    }
    if (waiting.size() < MOST_REMEMBERED) {
      waiting.put(run, tenant);
    } else {
      hasForgotten = true;
    }
    lookAgainLater();
    return false;
  }

  private boolean isFull(String tenant) {
    return limits.isHeld(tenant) || counts.getOrDefault(tenant, 0) >= limits.mostInMemory(tenant);
  }

  private void lookAgainLater() {
    if (!looksAgain) {
      looksAgain = true;
      later.accept(LOOK_AGAIN, this::lookAgain);
    }
  }

  /** Whether the run is known to wait, so that it need not be read. */
  synchronized boolean waits(long run) {
    String tenant = waiting.get(run);
    return tenant != null && isFull(tenant);
  }

  /** The run is no longer in memory. */
  void left(long run) {
    List<Long> next;
    synchronized (this) {
      String tenant = inMemory.remove(run);
      if (tenant == null) {
        return;
      }
      counts.computeIfPresent(tenant, (_, count) -> count == 1 ? null : count - 1);
      next = waiting.isEmpty() ? List.of() : admitted();
    }
    next.forEach(wake::accept);
  }

  /** The limits may have changed. */
  private void lookAgain() {
    List<Long> next;
    boolean looksAtAll;
    synchronized (this) {
      looksAgain = false;
      next = admitted();
      looksAtAll = hasForgotten && waiting.size() < MOST_REMEMBERED;
      hasForgotten = hasForgotten && !looksAtAll;
      if ((!waiting.isEmpty() || hasForgotten) && !closing.getAsBoolean()) {
        lookAgainLater();
      }
    }
    next.forEach(wake::accept);
    if (looksAtAll) {
      lookAtAll.run();
    }
  }

  /** Removes the runs that may enter now, the first ones first; each asks again when it is read. */
  private List<Long> admitted() {
    var free = new HashMap<String, Integer>();
    var next = new ArrayList<Long>();
    var each = waiting.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Long, String> one = each.next();
      int left = free.computeIfAbsent(one.getValue(), this::room);
      if (left > 0) {
        free.put(one.getValue(), left - 1);
        next.add(one.getKey());
        each.remove();
      }
    }
    return next;
  }

  private int room(String tenant) {
    return limits.isHeld(tenant)
        ? 0
        : Math.max(0, limits.mostInMemory(tenant) - counts.getOrDefault(tenant, 0));
  }

  /** Returns how many runs of the tenant are in memory. */
  synchronized int inMemory(String tenant) {
    return counts.getOrDefault(tenant, 0);
  }
}
