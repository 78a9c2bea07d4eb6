package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Due;
import dev.hapax.store.EffectUse;
import dev.hapax.store.RetentionReads;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads about retention in a store in memory, under the store's lock. */
final class MemoryRetention implements RetentionReads {
  private static final Comparator<Leaving> IN_ORDER =
      Comparator.comparing(Leaving::day).thenComparing(Leaving::kind).thenComparing(Leaving::name);

  private final Object lock;
  private final MemoryTables tables;

  MemoryRetention(Object lock, MemoryTables tables) {
    this.lock = lock;
    this.tables = tables;
  }

  @Override
  public Expiring expiring(Instant now, int limit) {
    synchronized (lock) {
      List<Long> runs =
          tables.retention().expiring().stream()
              .takeWhile(due -> !due.at().isAfter(now))
              .limit(limit)
              .map(Due::run)
              .toList();
      List<Long> tombstones =
          tables.retention().graves().entrySet().stream()
              .filter(grave -> !grave.getValue().until().isAfter(now))
              .limit(limit)
              .map(Map.Entry::getKey)
              .toList();
      List<Long> effects =
          tables.ledger().expiring().stream()
              .takeWhile(due -> !due.at().isAfter(now))
              .limit(limit)
              .map(Due::run)
              .toList();
      long over = ledgerRemains().filter(until -> !until.isAfter(now)).limit(limit).count();
      return new Expiring(runs, List.of(), tombstones, effects, (int) over);
    }
  }

  @Override
  public @Nullable Instant next() {
    synchronized (lock) {
      Stream<Instant> graves =
          tables.retention().graves().values().stream().map(RetentionTable.Grave::until);
      return Stream.of(
              tables.retention().expiring().stream().limit(1).map(Due::at),
              tables.ledger().expiring().stream().limit(1).map(Due::at),
              graves,
              ledgerRemains())
          .flatMap(times -> times)
          .min(Instant::compareTo)
          .orElse(null);
    }
  }

  @Override
  public Duration keep(String tenant, String flow) {
    synchronized (lock) {
      return tables.retention().keep(tenant, flow);
    }
  }

  @Override
  public @Nullable Instant runKeptUntil(long run) {
    synchronized (lock) {
      return tables.retention().expiresAt(run);
    }
  }

  @Override
  public List<Long> openEffects(long run) {
    synchronized (lock) {
      return tables.ledger().all().values().stream()
          .filter(effect -> effect.run() == run)
          .filter(effect -> effect.state().isOpen() && effect.state() != EffectState.PENDING)
          .map(EffectRecord::number)
          .toList();
    }
  }

  @Override
  public @Nullable Instant effectKeptUntil(long effect) {
    synchronized (lock) {
      return tables.ledger().expiresAt(effect);
    }
  }

  @Override
  public List<Long> referring(long effect, int limit) {
    synchronized (lock) {
      EffectRecord row = tables.ledger().find(effect);
      return row == null
          ? List.of()
          : tables.ledger().referring(row).stream().limit(limit).toList();
    }
  }

  @Override
  public List<EffectUse> uses(String tenant, String effect) {
    synchronized (lock) {
      return tables.ledger().uses(tenant, effect);
    }
  }

  /** Journals are deleted as a whole here. */
  @Override
  public List<JournalRow> journals(List<Long> runs) {
    synchronized (lock) {
      return runs.stream().flatMap(run -> tables.journal(run).stream()).toList();
    }
  }

  @Override
  public List<InboxEvent> oldestEvents(long before, int limit) {
    synchronized (lock) {
      return tables.inbox().newestFirst().stream()
          .filter(event -> event.number() < before)
          .sorted(Comparator.comparingLong(InboxEvent::number))
          .limit(limit)
          .toList();
    }
  }

  @Override
  public @Nullable Instant firstEvent() {
    synchronized (lock) {
      Long number = tables.inbox().first();
      return number == null ? null : IdSource.timeOf(number);
    }
  }

  @Override
  public Counts counts() {
    synchronized (lock) {
      RetentionTable retention = tables.retention();
      return new Counts(
          retention.count("runs"),
          retention.count("tombstones"),
          retention.count("effects"),
          retention.count("effectTombstones"));
    }
  }

  @Override
  public List<Leaving> leaving(
      String tenant, Instant from, Instant to, Duration events, int limit) {
    synchronized (lock) {
      var counts = new TreeMap<Leaving, Long>(IN_ORDER);
      Stream.of(runs(tenant), effects(tenant), tombstones(tenant), events(tenant, events))
          .flatMap(all -> all)
          .filter(one -> !one.at().isBefore(from) && one.at().isBefore(to))
          .forEach(one -> counts.merge(one.leaving(), 1L, Long::sum));
      return counts.entrySet().stream()
          .limit(limit)
          .map(
              group ->
                  new Leaving(
                      group.getKey().kind(),
                      group.getKey().name(),
                      group.getKey().day(),
                      group.getValue()))
          .toList();
    }
  }

  /** A record, and when it goes. */
  private record Goer(LeavingKind kind, String name, Instant at) {
    Leaving leaving() {
      return new Leaving(kind, name, LocalDate.ofInstant(at, ZoneOffset.UTC), 0);
    }
  }

  private Stream<Goer> runs(String tenant) {
    return tables.retention().expiring().stream()
        .flatMap(
            due ->
                Optional.ofNullable(tables.runs().get(due.run()))
                    .filter(run -> run.tenant().equals(tenant))
                    .map(run -> new Goer(LeavingKind.RUN, run.flow(), due.at()))
                    .stream());
  }

  private Stream<Goer> effects(String tenant) {
    return tables.ledger().expiring().stream()
        .flatMap(
            due ->
                Optional.ofNullable(tables.ledger().find(due.run()))
                    .filter(row -> row.key().tenant().equals(tenant))
                    .map(row -> new Goer(LeavingKind.EFFECT, row.key().name(), due.at()))
                    .stream());
  }

  private Stream<Goer> tombstones(String tenant) {
    return Stream.concat(
        tables.retention().graves().values().stream()
            .filter(grave -> grave.tombstone().tenant().equals(tenant))
            .map(grave -> new Goer(LeavingKind.RUN_TOMBSTONE, "", grave.until())),
        tables.ledger().graves().values().stream()
            .filter(grave -> grave.key().tenant().equals(tenant))
            .map(grave -> new Goer(LeavingKind.EFFECT_TOMBSTONE, "", grave.until())));
  }

  private Stream<Goer> events(String tenant, Duration life) {
    return tables.inbox().newestFirst().stream()
        .filter(event -> event.tenant().equals(tenant))
        .map(
            event ->
                new Goer(
                    LeavingKind.EVENT, event.source(), IdSource.timeOf(event.number()).plus(life)));
  }

  @Override
  public List<Long> late(String tenant, Instant now, int limit) {
    synchronized (lock) {
      RetentionTable retention = tables.retention();
      return retention.expiring().stream()
          .filter(due -> due.at().isAfter(now))
          .takeWhile(due -> !due.at().isAfter(now.plus(RetentionRule.LOOK_AGAIN)))
          .filter(
              due -> {
                Run run = tables.runs().get(due.run());
                Instant endedAt = run == null ? null : run.endedAt();
                return run != null
                    && endedAt != null
                    && run.tenant().equals(tenant)
                    && due.at()
                        .isAfter(
                            endedAt
                                .truncatedTo(ChronoUnit.MILLIS)
                                .plus(retention.keep(tenant, run.flow())));
              })
          .map(Due::run)
          .sorted()
          .limit(limit)
          .toList();
    }
  }

  private Stream<Instant> ledgerRemains() {
    return Stream.concat(
        tables.ledger().graves().values().stream().map(LedgerTable.Grave::until),
        tables.ledger().revisionsUntil().values().stream());
  }
}
