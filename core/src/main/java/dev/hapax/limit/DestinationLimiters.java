package dev.hapax.limit;

import dev.hapax.time.Clock;
import dev.hapax.time.Threads;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The limiters of one kind, by tenant and name. Safe for many threads. */
public final class DestinationLimiters {
  private final String sort;
  private final Clock clock;
  private final Threads threads;
  private final @Nullable LongConsumer wake;
  private final ConcurrentMap<Key, DestinationLimiter> all = new ConcurrentHashMap<>();

  private volatile Turns.Share share;

  private record Key(String tenant, String name) {}

  /**
   * Creates an empty set of limiters.
   *
   * @param sort the word before their names in the history, as in destination 'psp'
   * @param wake called with a run that may come back early; null if all runs come back when due
   */
  public DestinationLimiters(
      String sort, Clock clock, Threads threads, @Nullable LongConsumer wake) {
    this.sort = sort;
    this.clock = clock;
    this.threads = threads;
    this.wake = wake;
    this.share = new Turns.Share(1, clock.nanos());
  }

  /**
   * Divides every rate equally among this many nodes from now on.
   *
   * @param from no turn begins before this time, by the monotonic clock
   */
  public void share(int nodes, long from) {
    share = new Turns.Share(nodes, from);
    all.values().forEach(limiter -> limiter.share(share));
  }

  /** Returns the limiter with this name. It has no limits until some are set. */
  public DestinationLimiter of(String tenant, String name) {
    DestinationLimiter limiter =
        all.computeIfAbsent(
            new Key(tenant, name),
            _ -> new DestinationLimiter("%s '%s'".formatted(sort, name), clock, threads, wake));
    limiter.share(share); // also if it was created while the share changed
    return limiter;
  }

  /** Returns the limiter with this name, and applies these limits from now on. */
  public DestinationLimiter of(String tenant, String name, Limits limits) {
    DestinationLimiter limiter = of(tenant, name);
    limiter.limit(limits);
    return limiter;
  }

  /** Returns the states of a tenant's limiters, by name. */
  public Map<String, DestinationLimiter.State> states(String tenant) {
    var states = new TreeMap<String, DestinationLimiter.State>();
    all.forEach(
        (key, limiter) -> {
          if (key.tenant().equals(tenant)) {
            states.put(key.name(), limiter.state());
          }
        });
    return states;
  }

  /** Returns the states of all tenants' limiters. */
  public List<DestinationLimiter.State> states() {
    return all.values().stream().map(DestinationLimiter::state).toList();
  }
}
