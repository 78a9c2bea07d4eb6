package dev.hapax.store.jdbc;

import dev.hapax.store.RetentionReads;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the store tells about what it keeps, each answer from one snapshot. */
final class RetentionQueries implements RetentionReads {
  private final Asking asking;

  RetentionQueries(Asking asking) {
    this.asking = asking;
  }

  /** The store's way to ask one of its readers. */
  @FunctionalInterface
  interface Asking {
    <T extends @Nullable Object> T ask(StoreReaders.Query<T> query);
  }

  @Override
  public Expiring expiring(Instant now, int limit) {
    return asking.ask(reader -> reader.retention().expiring(now, limit));
  }

  @Override
  public @Nullable Instant next() {
    return asking.<@Nullable Instant>ask(reader -> reader.retention().next());
  }

  @Override
  public Duration keep(String flow) {
    return asking.ask(reader -> reader.retention().keep(flow));
  }

  @Override
  public @Nullable Instant runKeptUntil(long run) {
    return asking.<@Nullable Instant>ask(reader -> reader.retention().runKeptUntil(run));
  }

  @Override
  public Counts counts() {
    return asking.ask(reader -> reader.retention().counts());
  }
}
