package dev.hapax.app.queue;

import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which queues are paused, for all nodes and across releases, and which are left for a moment,
 * since the position of their group can only be changed while nobody reads.
 */
public final class QueuePauses {
  private static final long KNOWN_FOR = Duration.ofSeconds(1).toNanos();

  /** A node that died while it changed a position does not keep a queue for longer. */
  static final Duration LEFT_FOR = Duration.ofSeconds(60);

  private final Records<Pause> records;
  private final Records<Pause> left;
  private final Clock clock;
  private volatile @Nullable Known known;

  /** The names of the paused queues, as they were read. */
  private record Known(Set<String> paused, Set<String> left, long atNanos) {}

  /** A pause, and the name of the caller who began it. */
  record Pause(String by, Instant since) {}

  public QueuePauses(Kv map, Clock clock) {
    this.records = new Records<>(map, "queues", Pause.class);
    this.left = new Records<>(map, "queues-left", Pause.class);
    this.clock = clock;
  }

  /** Learns of a pause at another node a second later. */
  boolean has(QueueKey key) {
    return now().paused().contains(name(key));
  }

  /** Whether all nodes must close their consumers now. */
  boolean isLeft(QueueKey key) {
    return now().left().contains(name(key));
  }

  private Known now() {
    Known read = known;
    if (read == null || clock.nanos() - read.atNanos() > KNOWN_FOR) {
      Instant oldest = clock.now().minus(LEFT_FOR);
      read =
          new Known(
              records.all("").stream().map(Stored::name).collect(Collectors.toUnmodifiableSet()),
              left.all("").stream()
                  .filter(one -> one.value().since().isAfter(oldest))
                  .map(Stored::name)
                  .collect(Collectors.toUnmodifiableSet()),
              clock.nanos());
      known = read;
    }
    return read;
  }

  /** Makes all nodes close their consumers, until they may come back or {@link #LEFT_FOR}. */
  void leave(QueueKey key, String by) {
    left.delete(name(key)); // one that was forgotten has an old time
    left.putIfAbsent(name(key), new Pause(by, clock.now()));
    known = null;
  }

  void comeBack(QueueKey key) {
    left.delete(name(key));
    known = null;
  }

  void pause(QueueKey key, String by) {
    records.putIfAbsent(name(key), new Pause(by, clock.now()));
    known = null;
  }

  void resume(QueueKey key) {
    records.delete(name(key));
    known = null;
  }

  private static String name(QueueKey key) {
    return Records.name(key.tenant(), key.name());
  }
}
