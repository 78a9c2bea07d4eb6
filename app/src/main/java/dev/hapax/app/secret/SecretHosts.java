package dev.hapax.app.secret;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.json.Text;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that each secret may go to. A secret without hosts gets those of the connections that
 * use it; from then on no connection takes it elsewhere. Safe for many threads and nodes.
 */
public final class SecretHosts {
  private static final int MOST = 50;

  private static final Pattern HOST =
      Pattern.compile("(http://)?([a-z0-9._-]{1,253}|\\[[0-9a-f:.]{2,45}])(:[0-9]{1,5})?");

  /** A node uses hosts that another node has changed for at most this long. */
  private static final Duration RECENT = Duration.ofSeconds(1);

  private final Records<Bound> records;
  private final Clock clock;
  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  /** The hosts of a secret. */
  record Bound(List<String> hosts, Instant changedAt, String changedBy) {}

  private record Known(@Nullable Set<String> hosts, long atNanos) {}

  public SecretHosts(Kv map, Clock clock) {
    this.records = new Records<>(map, "secret-hosts", Bound.class);
    this.clock = clock;
  }

  /** Returns the hosts in the form in which they are stored; refuses what is no host. */
  static List<String> valid(Collection<String> hosts) {
    if (hosts.isEmpty() || hosts.size() > MOST) {
      throw new IllegalArgumentException(
          "hosts: expected 1 to %d, got %d".formatted(MOST, hosts.size()));
    }
    var valid = new TreeSet<String>();
    for (String given : hosts) {
      String host = String.valueOf(given).strip().toLowerCase(Locale.ROOT);
      if (!HOST.matcher(host).matches()) {
        throw new IllegalArgumentException(
            "hosts: expected names such as 'api.example.com' or 'api.example.com:8443', got '%s'"
                .formatted(Text.storable(host)));
      }
      valid.add(host);
    }
    return List.copyOf(valid);
  }

  /** Whether one of them allows a way without encryption, which only the operator may. */
  static boolean allowsPlain(Collection<String> hosts) {
    return hosts.stream().anyMatch(host -> host.startsWith(Secrets.PLAIN));
  }

  /** Returns null if it has none yet. */
  public @Nullable Set<String> of(String tenant, String name) {
    String key = Records.name(tenant, name);
    Known before = known.get(key);
    long now = clock.nanos();
    if (before != null && now - before.atNanos() < RECENT.toNanos()) {
      return before.hosts();
    }
    Stored<Bound> found = records.get(key);
    Set<String> hosts = found == null ? null : Set.copyOf(found.value().hosts());
    known.put(key, new Known(hosts, now));
    return hosts;
  }

  /** Replaces the hosts of a secret. */
  void put(String tenant, String name, List<String> hosts, String actor) {
    String key = Records.name(tenant, name);
    var bound = new Bound(hosts, clock.now(), actor);
    Outcome<Bound> outcome = records.putIfAbsent(key, bound);
    for (Stored<Bound> there = outcome.standing(); !outcome.written(); there = outcome.standing()) {
      outcome = records.compareAndSet(key, there == null ? 0 : there.version(), bound);
    }
    known.remove(key);
  }

  /** Gives hosts to a secret that has none; the first ones count. */
  void bind(String tenant, String name, List<String> hosts, String actor) {
    String key = Records.name(tenant, name);
    records.putIfAbsent(key, new Bound(hosts, clock.now(), actor));
    known.remove(key);
  }

  void forget(String tenant, String name) {
    records.delete(Records.name(tenant, name));
    known.remove(Records.name(tenant, name));
  }
}
