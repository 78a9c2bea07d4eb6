package dev.hapax.store.jdbc;

import dev.hapax.flow.InboxEvent;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.EffectUse;
import dev.hapax.store.RetentionReads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers questions about the store's retention, each from one snapshot. */
final class RetentionQueries implements RetentionReads {
  private final Asking asking;

  RetentionQueries(Asking asking) {
    this.asking = asking;
  }

  /** Asks one of the store's readers. */
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
  public Duration keep(String tenant, String flow) {
    return asking.ask(reader -> reader.retention().keep(tenant, flow));
  }

  @Override
  public @Nullable Instant runKeptUntil(long run) {
    return asking.<@Nullable Instant>ask(reader -> reader.retention().runKeptUntil(run));
  }

  @Override
  public List<Long> openEffects(long run) {
    return asking.ask(reader -> reader.retention().openEffects(run));
  }

  @Override
  public @Nullable Instant effectKeptUntil(long effect) {
    return asking.<@Nullable Instant>ask(reader -> reader.retention().effectKeptUntil(effect));
  }

  @Override
  public List<Long> referring(long effect, int limit) {
    return asking.ask(reader -> reader.retention().referring(effect, limit));
  }

  @Override
  public List<EffectUse> uses(String tenant, String effect) {
    return asking.ask(reader -> reader.retention().uses(tenant, effect));
  }

  @Override
  public List<JournalRow> journals(List<Long> runs) {
    return asking.ask(reader -> reader.retention().journals(runs));
  }

  @Override
  public List<InboxEvent> oldestEvents(long before, int limit) {
    return asking.ask(reader -> reader.retention().oldestEvents(before, limit));
  }

  @Override
  public @Nullable Instant firstEvent() {
    return asking.<@Nullable Instant>ask(reader -> reader.retention().firstEvent());
  }

  @Override
  public List<Leaving> leaving(
      String tenant, Instant from, Instant to, Duration events, int limit) {
    return asking.ask(reader -> reader.retention().leaving(tenant, from, to, events, limit));
  }

  @Override
  public List<Long> late(String tenant, Instant now, int limit) {
    return asking.ask(reader -> reader.retention().late(tenant, now, limit));
  }

  @Override
  public Counts counts() {
    return asking.ask(reader -> reader.retention().counts());
  }
}
