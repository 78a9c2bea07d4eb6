package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Erased;
import dev.hapax.run.ledger.ClaimRule;
import dev.hapax.run.retention.EffectHolder;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Due;
import dev.hapax.store.EffectUse;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ledger: effects by key, the revisions of updates, the runs that refer to them, and
 * tombstones.
 */
final class LedgerTable {
  private final MemoryTables tables;
  private final NavigableMap<Long, EffectRecord> effects = new TreeMap<>();
  private final Map<String, Long> numbers = new HashMap<>();
  private final Map<Origin, ClaimRule.Revision> revisions = new HashMap<>();
  private final NavigableMap<Origin, Instant> revisionsUntil =
      new TreeMap<>(Comparator.comparingLong(Origin::effect).thenComparing(Origin::origin));
  private final NavigableSet<Reference> references =
      new TreeSet<>(Comparator.comparingLong(Reference::effect).thenComparingLong(Reference::run));
  private final NavigableMap<Use, Duration> uses =
      new TreeMap<>(
          Comparator.comparing(Use::effect).thenComparing(Use::flow).thenComparing(Use::tenant));
  private final NavigableSet<Due> expiring =
      new TreeSet<>(Comparator.comparing(Due::at).thenComparingLong(Due::run));
  private final Map<Long, Instant> expiresAt = new HashMap<>();
  private final NavigableMap<Long, Grave> graves = new TreeMap<>();

  LedgerTable(MemoryTables tables) {
    this.tables = tables;
  }

  @Nullable EffectRecord find(long number) {
    return effects.get(number);
  }

  @Nullable EffectRecord find(EffectKey key) {
    Long number = numbers.get(nameOf(key));
    return number == null ? null : effects.get(number);
  }

  /** A key that was erased has the same one. */
  private static String nameOf(EffectKey key) {
    return HexFormat.of().formatHex(key.hash());
  }

  /** Erases the results of the revisions that this run made of an effect. */
  void eraseRevisions(long effect, String run) {
    List.copyOf(revisions.entrySet()).stream()
        .filter(made -> made.getKey().effect() == effect && made.getValue().run().equals(run))
        .forEach(
            made -> {
              ClaimRule.Revision before = made.getValue();
              tables.put(
                  revisions,
                  made.getKey(),
                  new ClaimRule.Revision(
                      before.revision(),
                      before.fingerprint(),
                      Erased.json(before.result()),
                      before.run()));
            });
  }

  /** Returns the row under a key, or its tombstone; null if the key is free. */
  @Nullable EffectHolder holder(EffectKey key) {
    Long number = numbers.get(nameOf(key));
    if (number == null) {
      return null;
    }
    EffectRecord row = effects.get(number);
    return row != null
        ? new EffectHolder.Present(row)
        : new EffectHolder.Expired(Objects.requireNonNull(graves.get(number)).tombstone());
  }

  NavigableMap<Long, EffectRecord> all() {
    return effects;
  }

  void put(EffectRecord effect) {
    tables.put(effects, effect.number(), effect);
    tables.put(numbers, nameOf(effect.key()), effect.number());
    tables.remove(graves, effect.number());
  }

  boolean ownsOpenEffect(long run) {
    return effects.values().stream()
        .anyMatch(effect -> effect.run() == run && effect.state().isOpen());
  }

  ClaimRule.@Nullable Revision revision(long effect, String origin) {
    return revisions.get(new Origin(effect, origin));
  }

  void putRevision(long effect, String origin, ClaimRule.Revision revision) {
    tables.put(revisions, new Origin(effect, origin), revision);
    tables.remove(revisionsUntil, new Origin(effect, origin));
  }

  // ---- how long

  void putUse(String tenant, String effect, String flow, Duration window) {
    var use = new Use(tenant, effect, flow);
    Duration before = uses.get(use);
    if (before == null || before.compareTo(window) < 0) {
      tables.put(uses, use, window);
    }
  }

  List<EffectUse> uses(String tenant, String effect) {
    var windows = new TreeMap<String, Duration>();
    uses.forEach(
        (use, window) -> {
          if (use.effect().equals(effect)
              && (use.tenant().equals(tenant) || use.tenant().equals(RetentionRule.ALL))) {
            windows.merge(use.flow(), window, (one, two) -> one.compareTo(two) >= 0 ? one : two);
          }
        });
    return windows.entrySet().stream()
        .map(
            use ->
                new EffectUse(
                    use.getKey(), tables.retention().keep(tenant, use.getKey()), use.getValue()))
        .toList();
  }

  void refer(long effect, long run) {
    tables.add(references, new Reference(effect, run));
  }

  void leave(long effect, long run) {
    tables.remove(references, new Reference(effect, run));
  }

  /** Returns the existing runs that refer to the effect, by number. */
  List<Long> referring(EffectRecord effect) {
    Long reusedBy = effect.reusedBy();
    return Stream.concat(
            references
                .subSet(
                    new Reference(effect.number(), 0),
                    new Reference(effect.number(), Long.MAX_VALUE))
                .stream()
                .map(Reference::run),
            Stream.of(effect.run(), reusedBy == null ? effect.run() : reusedBy))
        .filter(run -> tables.run(run) != null)
        .distinct()
        .sorted()
        .toList();
  }

  @Nullable Instant expiresAt(long effect) {
    return expiresAt.get(effect);
  }

  /** Returns the effects that are checked for expiry, the earliest first. */
  NavigableSet<Due> expiring() {
    return expiring;
  }

  void setExpiry(long effect, @Nullable Instant at) {
    Instant before = expiresAt.get(effect);
    if (before != null) {
      tables.remove(expiring, new Due(before, effect));
      tables.remove(expiresAt, effect);
    }
    if (at != null) {
      tables.add(expiring, new Due(at, effect));
      tables.put(expiresAt, effect, at);
    }
  }

  /** Keeps the revision that this work made until then. */
  void keepRevision(long effect, String origin, Instant until) {
    var made = new Origin(effect, origin);
    Instant before = revisionsUntil.get(made);
    if (revisions.containsKey(made) && (before == null || before.isBefore(until))) {
      tables.put(revisionsUntil, made, until);
    }
  }

  /** Removes the row, and leaves a tombstone in its place if one is given. */
  void remove(EffectRecord row, @Nullable Grave grave) {
    setExpiry(row.number(), null);
    tables.remove(effects, row.number());
    List.copyOf(references).stream()
        .filter(reference -> reference.effect() == row.number())
        .forEach(reference -> tables.remove(references, reference));
    if (grave == null) {
      tables.remove(numbers, nameOf(row.key()));
    } else {
      tables.put(graves, row.number(), grave);
    }
  }

  NavigableMap<Long, Grave> graves() {
    return graves;
  }

  void removeGrave(Grave grave) {
    tables.remove(graves, grave.tombstone().number());
    tables.remove(numbers, nameOf(grave.key()));
  }

  /** Returns until when revisions are kept whose runs are gone. */
  NavigableMap<Origin, Instant> revisionsUntil() {
    return revisionsUntil;
  }

  void removeRevision(Origin made) {
    tables.remove(revisions, made);
    tables.remove(revisionsUntil, made);
  }

  /** The tombstone of an effect, and until when it is kept. */
  record Grave(EffectKey key, EffectTombstone tombstone, Instant until) {}

  /** The origin of a revision of an update. */
  record Origin(long effect, String origin) {}

  private record Reference(long effect, long run) {}

  private record Use(String tenant, String effect, String flow) {}
}
