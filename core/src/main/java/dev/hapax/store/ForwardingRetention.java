package dev.hapax.store;

import dev.hapax.flow.InboxEvent;
import dev.hapax.run.journal.JournalRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forwards every question about retention. */
record ForwardingRetention(ForwardingStore store) implements RetentionReads {

  @Override
  public Expiring expiring(Instant now, int limit) {
    return store.call("expiring", () -> store.to().retention().expiring(now, limit));
  }

  @Override
  public @Nullable Instant next() {
    return store.<@Nullable Instant>call("next", () -> store.to().retention().next());
  }

  @Override
  public Duration keep(String tenant, String flow) {
    return store.call("keep", () -> store.to().retention().keep(tenant, flow));
  }

  @Override
  public @Nullable Instant runKeptUntil(long run) {
    return store.<@Nullable Instant>call(
        "runKeptUntil", () -> store.to().retention().runKeptUntil(run));
  }

  @Override
  public List<Long> openEffects(long run) {
    return store.call("openEffects", () -> store.to().retention().openEffects(run));
  }

  @Override
  public @Nullable Instant effectKeptUntil(long effect) {
    return store.<@Nullable Instant>call(
        "effectKeptUntil", () -> store.to().retention().effectKeptUntil(effect));
  }

  @Override
  public List<Long> referring(long effect, int limit) {
    return store.call("referring", () -> store.to().retention().referring(effect, limit));
  }

  @Override
  public List<EffectUse> uses(String tenant, String effect) {
    return store.call("uses", () -> store.to().retention().uses(tenant, effect));
  }

  @Override
  public List<JournalRow> journals(List<Long> runs) {
    return store.call("journals", () -> store.to().retention().journals(runs));
  }

  @Override
  public List<InboxEvent> oldestEvents(long before, int limit) {
    return store.call("oldestEvents", () -> store.to().retention().oldestEvents(before, limit));
  }

  @Override
  public @Nullable Instant firstEvent() {
    return store.<@Nullable Instant>call("firstEvent", () -> store.to().retention().firstEvent());
  }

  @Override
  public List<Leaving> leaving(
      String tenant, Instant from, Instant to, Duration events, int limit) {
    return store.call(
        "leaving", () -> store.to().retention().leaving(tenant, from, to, events, limit));
  }

  @Override
  public List<Long> late(String tenant, Instant now, int limit) {
    return store.call("late", () -> store.to().retention().late(tenant, now, limit));
  }

  @Override
  public Counts counts() {
    return store.call("counts", () -> store.to().retention().counts());
  }
}
