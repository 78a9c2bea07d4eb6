package dev.hapax.app.secret.outside;

import dev.hapax.app.secret.outside.SecretSource.CannotRead;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secrets that the operator takes from outside the store, by tenant and name. A tenant uses
 * such a secret by its name, as any other one; it can neither see nor choose its place. Safe for
 * many threads.
 */
public final class OutsideSecrets {
  private static final Logger log = LoggerFactory.getLogger(OutsideSecrets.class);

  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Map<String, Map<String, SecretSource>> sources;
  private final Clock clock;
  private final ConcurrentMap<String, Held> held = new ConcurrentHashMap<>();

  /** Called before a value is used for the first time, and when that changes. */
  @FunctionalInterface
  public interface Use {
    void of(String tenant, String name, String event);
  }

  /** The last result of a source. Guarded by its lock. */
  private static final class Held {
    final ReentrantLock lock = new ReentrantLock();
    @Nullable String value;
    @Nullable String problem;
    Duration pause = Duration.ZERO;
    boolean wasRead;
    long readAt;
    Duration freshFor = Duration.ZERO;
  }

  OutsideSecrets(Map<String, Map<String, SecretSource>> sources, Clock clock) {
    this.sources = Map.copyOf(sources);
    this.clock = clock;
  }

  /** Returns the operator's word for the source of a secret; null if it is not from outside. */
  public @Nullable String kindOf(String tenant, String name) {
    SecretSource source = sources.getOrDefault(tenant, Map.of()).get(name);
    return source == null ? null : source.kind();
  }

  /** Returns the names and kinds of a tenant's secrets, in order. */
  public Map<String, String> of(String tenant) {
    var kinds = new TreeMap<String, String>();
    sources.getOrDefault(tenant, Map.of()).forEach((name, from) -> kinds.put(name, from.kind()));
    return kinds;
  }

  /**
   * Returns the value of a secret that is from outside.
   *
   * @throws NotApplied with a pause, and a missing answer behind it, if the value cannot be had
   *     now: a step waits for it, and does not count this as an attempt that failed
   */
  public String value(String tenant, String name, Use use) {
    SecretSource source =
        Objects.requireNonNull(sources.getOrDefault(tenant, Map.of()).get(name), name);
    Held last = held.computeIfAbsent(tenant + "/" + name, _ -> new Held());
    last.lock.lock(); // one reads, the others get its result
    try {
      if (!last.wasRead || clock.nanos() - last.readAt >= last.freshFor.toNanos()) {
        read(tenant, name, source, last, use);
      }
      if (last.value == null) {
        throw unavailable(name, source, last);
      }
      return last.value;
    } finally {
      last.lock.unlock();
    }
  }

  private void read(String tenant, String name, SecretSource source, Held last, Use use) {
    String value = null;
    String problem = null;
    try {
      value = source.read();
    } catch (CannotRead e) {
      problem = String.valueOf(e.getMessage());
    }
    String event = event(source, last, value);
    if (event != null) {
      use.of(tenant, name, event);
    }
    if (problem != null && !problem.equals(last.problem)) {
      log.warn("secret '{}' of tenant '{}' cannot be had: {}", name, tenant, problem);
    }
    last.pause = problem == null ? Duration.ZERO : longer(last.pause);
    last.freshFor = problem == null ? source.freshFor() : last.pause;
    last.value = value;
    last.problem = problem;
    last.wasRead = true;
    last.readAt = clock.nanos();
  }

  /** Returns what is new about a result; null if nothing is. */
  private static @Nullable String event(SecretSource source, Held last, @Nullable String value) {
    if (value == null) {
      return last.problem == null ? "not available from " + source.kind() : null;
    }
    if (last.value == null) {
      return "read from " + source.kind();
    }
    return value.equals(last.value) ? null : "changed in " + source.kind();
  }

  private static Duration longer(Duration pause) {
    Duration next = pause.isZero() ? SHORTEST_PAUSE : pause.multipliedBy(2);
    return next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next;
  }

  private static NotApplied unavailable(String name, SecretSource source, Held last) {
    String message =
        "unavailable: secret '%s' cannot be had from its %s now, so nothing was sent. The step waits for it; the server's log says why."
            .formatted(name, source.kind());
    return new NotApplied(message, last.pause, new StoreUnavailable(message, null));
  }
}
