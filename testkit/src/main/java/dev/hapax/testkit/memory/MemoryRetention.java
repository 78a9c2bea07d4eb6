package dev.hapax.testkit.memory;

import dev.hapax.store.Due;
import dev.hapax.store.RetentionReads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a store in memory tells about what it keeps, under the store's lock. */
final class MemoryRetention implements RetentionReads {
  private final Object lock;
  private final Tables tables;

  MemoryRetention(Object lock, Tables tables) {
    this.lock = lock;
    this.tables = tables;
  }

  @Override
  public Expiring expiring(Instant now, int limit) {
    synchronized (lock) {
      List<Long> runs =
          tables.expiring().stream()
              .takeWhile(due -> !due.at().isAfter(now))
              .limit(limit)
              .map(Due::run)
              .toList();
      List<Long> tombstones =
          tables.graves().entrySet().stream()
              .filter(grave -> !grave.getValue().until().isAfter(now))
              .limit(limit)
              .map(Map.Entry::getKey)
              .toList();
      return new Expiring(runs, List.of(), tombstones);
    }
  }

  @Override
  public @Nullable Instant next() {
    synchronized (lock) {
      Stream<Instant> run =
          tables.expiring().isEmpty() ? Stream.empty() : Stream.of(tables.expiring().first().at());
      Stream<Instant> graves = tables.graves().values().stream().map(Tables.Grave::until);
      return Stream.concat(run, graves).min(Instant::compareTo).orElse(null);
    }
  }

  @Override
  public Duration keep(String flow) {
    synchronized (lock) {
      return tables.keep(flow);
    }
  }

  @Override
  public @Nullable Instant runKeptUntil(long run) {
    synchronized (lock) {
      return tables.expiresAt(run);
    }
  }

  @Override
  public Counts counts() {
    synchronized (lock) {
      return new Counts(tables.count("runs"), tables.count("tombstones"));
    }
  }
}
