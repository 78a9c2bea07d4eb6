package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.json.Json;
import dev.hapax.run.SearchEntry;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.run.retention.TombstoneRule;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The writer's statements for how long the ledger remembers effects, and for their tombstones. */
final class LedgerRows {
  private static final String KEEP =
      """
      INSERT INTO effect_use (name, tenant, flow, at_least) VALUES (:name, :tenant, :flow, :at_least)
      ON CONFLICT (name, tenant, flow) DO UPDATE SET at_least = excluded.at_least WHERE excluded.at_least > effect_use.at_least
      """;

  private static final String LIFE =
      """
      SELECT coalesce(max(CASE WHEN at_least > keep THEN at_least ELSE keep END), :default_keep) FROM (
        SELECT at_least, coalesce((SELECT keep FROM retention WHERE retention.flow = effect_use.flow
          AND retention.tenant IN (:tenant, '') ORDER BY retention.tenant DESC LIMIT 1), :default_keep) AS keep
        FROM effect_use WHERE name = :name AND tenant IN (:tenant, '')) AS uses
      """;

  /** Also returns whether an existing run refers to it, and when its owner ended, if gone. */
  private static final String ROWS =
      """
      SELECT tenant, name, key, additive_run, number, kind, state, revision, version, external_id, expires_at,
        EXISTS (SELECT 1 FROM run WHERE run.number = effect.run)
          OR (reused_by IS NOT NULL AND EXISTS (SELECT 1 FROM run WHERE run.number = reused_by))
          OR EXISTS (SELECT 1 FROM effect_reference JOIN run ON run.number = effect_reference.run
            WHERE effect_reference.effect = effect.number),
        (SELECT ended_at FROM expired_run WHERE expired_run.number = effect.run), version_text
      FROM effect WHERE number IN (%s)
      ORDER BY number
      """;

  private static final String BURY =
      """
      INSERT INTO expired_effect (number, hash, kind, state, revision, version, version_text, external_id, until, tenant)
      VALUES (:number, :hash, :kind, :state, :revision, :version, :version_text, :external_id, :until, :tenant)
      """;

  static final String TOMBSTONES =
      "SELECT number, kind, state, revision, version, external_id, version_text FROM expired_effect ";

  private static final String END_TOMBSTONES =
      """
      DELETE FROM expired_effect WHERE number IN
        (SELECT number FROM expired_effect WHERE until <= :at ORDER BY until LIMIT :most)
      RETURNING hash
      """;

  private static final String KEEP_REVISION =
      """
      UPDATE revision SET until = CASE WHEN until > :until THEN until ELSE :until END
      WHERE effect = :effect AND origin = :origin
      """;

  private static final String END_REVISIONS =
      """
      DELETE FROM revision WHERE (effect, origin) IN
        (SELECT effect, origin FROM revision WHERE until <= :at ORDER BY until LIMIT :most)
      """;

  /** A run is as new as its caller. */
  static final String RENEWS =
      """
      WITH RECURSIVE caller (run) AS (
        SELECT CAST(:run AS bigint)
        UNION SELECT run.parent FROM run JOIN caller ON run.number = caller.run WHERE run.parent IS NOT NULL)
      SELECT EXISTS (SELECT 1 FROM succession JOIN caller ON caller.run = succession.run WHERE renews = 1)
      """;

  private final KeyIndex keys;
  private final ResourceRows resources;
  private final SearchRows search;
  private final @Nullable Prepared lock;
  private final Prepared keep;
  private final Prepared life;
  private final Prepared refer;
  private final Prepared leave;
  private final Prepared leaveAll;
  private final Prepared any;
  private final Prepared ends;
  private final Prepared rows;
  private final Prepared stay;
  private final Prepared bury;
  private final Prepared delete;
  private final Prepared tombstone;
  private final Prepared removeTombstone;
  private final Prepared endTombstones;
  private final Prepared keepRevision;
  private final Prepared endRevisions;
  private final Prepared renews;
  private final Prepared count;

  /** Usually each effect has one run; then there is nothing to look up. */
  private boolean someRefer;

  LedgerRows(Session session, KeyIndex keys, ResourceRows resources, SearchRows search)
      throws SQLException {
    this.keys = keys;
    this.search = search;
    this.resources = resources;
    this.lock =
        session.dialect().isShared()
            ? session.prepare(
                "SELECT 1 FROM effect WHERE number = :effect" + session.dialect().forUpdate())
            : null;
    this.keep = session.prepare(KEEP);
    this.life = session.prepare(LIFE);
    this.refer =
        session.prepare(
            "INSERT INTO effect_reference (effect, run) VALUES (:effect, :run) ON CONFLICT DO NOTHING");
    this.leave =
        session.prepare("DELETE FROM effect_reference WHERE effect = :effect AND run = :run");
    this.leaveAll = session.prepare("DELETE FROM effect_reference WHERE effect = :effect");
    this.any = session.prepare("SELECT EXISTS (SELECT 1 FROM effect_reference)");
    this.ends =
        session.prepare("SELECT number, ended_at FROM expired_run WHERE number IN (%s)", ":runs");
    this.rows = session.prepare(ROWS, ":effects");
    this.stay = session.prepare("UPDATE effect SET expires_at = :until WHERE number = :effect");
    this.bury = session.prepare(BURY);
    this.delete = session.prepare("DELETE FROM effect WHERE number IN (%s)", ":effects");
    this.tombstone = session.prepare(TOMBSTONES + "WHERE number = :number");
    this.removeTombstone = session.prepare("DELETE FROM expired_effect WHERE number = :number");
    this.endTombstones = session.prepare(END_TOMBSTONES);
    this.keepRevision = session.prepare(KEEP_REVISION);
    this.endRevisions = session.prepare(END_REVISIONS);
    this.renews = session.prepare(RENEWS);
    this.count = session.prepare("UPDATE meta SET value = value + :more WHERE name = :name");
    this.someRefer =
        session.dialect().isShared() || Boolean.TRUE.equals(any.first(found -> found.flag(1)));
  }

  void keep(Change.KeepEffects change) throws SQLException {
    keep.with(change.name())
        .with(change.tenant())
        .with(change.flow())
        .with(change.window().toMillis())
        .update();
  }

  /** Records that a run beside the owner refers to the effect. */
  void refer(long effect, long run) throws SQLException {
    someRefer = true;
    refer.with(effect).with(run).update();
  }

  @Nullable EffectTombstone tombstone(long number) throws SQLException {
    return tombstone.with(number).first(LedgerRows::tombstone);
  }

  static EffectTombstone tombstone(Row found) throws SQLException {
    return new EffectTombstone(
        found.number(1),
        EffectMapping.kind(found.text(2)),
        EffectState.of(found.text(3)),
        (int) found.number(4),
        VersionColumns.of(found, 5, 7),
        found.textOrNull(6));
  }

  /** Removes the tombstone: a row takes its place. */
  void removeTombstone(long number) throws SQLException {
    removeTombstone.with(number).update();
  }

  boolean renews(long run) throws SQLException {
    return Boolean.TRUE.equals(renews.with(run).first(found -> found.flag(1)));
  }

  void leave(Change.LeaveEffects change, Instant at) throws SQLException {
    Map<Long, Instant> ended = ended(change.references());
    var work = new Work(at, change.tombstonesUntil(), change.isDeferred() ? Set.of() : null);
    List<EffectReference> references = new ArrayList<>();
    Map<Long, Instant> lastEnds = new LinkedHashMap<>();
    for (EffectReference reference : change.references()) {
      Instant end = ended.get(reference.run());
      if (end == null) {
        continue; // the run is still there
      }
      if (someRefer) {
        leave.with(reference.effect()).with(reference.run()).update();
      }
      references.add(reference);
      lastEnds.merge(reference.effect(), end, LedgerRows::later);
    }
    Map<Long, Candidate> found = find(List.copyOf(lastEnds.keySet()));
    for (EffectReference reference : references) {
      work.keepRevision(reference, found.get(reference.effect()), ended.get(reference.run()));
    }
    for (Candidate candidate : found.values()) {
      work.decide(candidate, lastEnds.get(candidate.number()));
    }
    work.finish();
  }

  private Map<Long, Instant> ended(List<EffectReference> references) throws SQLException {
    List<Long> runs = references.stream().map(EffectReference::run).distinct().toList();
    Map<Long, Instant> ended = new HashMap<>();
    for (Ended one : ends.with(Json.write(runs)).all(row -> new Ended(row.number(1), row.at(2)))) {
      ended.put(one.run(), one.at());
    }
    return ended;
  }

  void expire(Change.ExpireEffects change, Instant at) throws SQLException {
    var work = new Work(at, change.tombstonesUntil(), change.exported());
    for (Candidate candidate : find(change.effects()).values()) {
      work.lookAgain(candidate);
    }
    work.finish();
  }

  /** Locks the rows first if others write too: later reads then hold until the commit. */
  private Map<Long, Candidate> find(List<Long> effects) throws SQLException {
    if (lock != null) {
      for (long effect : effects.stream().sorted().toList()) {
        lock.with(effect).first(found -> found.flag(1));
      }
    }
    Map<Long, Candidate> found = new LinkedHashMap<>();
    for (Candidate candidate : rows.with(Json.write(effects)).all(Candidate::of)) {
      found.put(candidate.number(), candidate);
    }
    return found;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  void endTombstones(int most, Instant at) throws SQLException {
    List<Key> hashes = endTombstones.with(at).with(most).all(found -> Key.of(found.bytes(1)));
    keys.remove(hashes);
    endRevisions.with(at).with(most).update();
    count("effect_tombstones_ended", hashes.size());
  }

  private void count(String what, int more) throws SQLException {
    if (more > 0) {
      count.with((long) more).with(what).update();
    }
  }

  void rolledBack() {
    someRefer = true;
  }

  /** Effects of a tenant that live equally long. */
  private record Shared(String tenant, String name) {}

  /** One change; asks once for all its effects. */
  private final class Work {
    private final Instant at;
    private final Instant tombstonesUntil;
    private final @Nullable Set<Long> exported;
    private final Map<Shared, Duration> lives = new HashMap<>();
    private final List<Key> free = new ArrayList<>();
    private final List<Long> gone = new ArrayList<>();
    private final List<SearchEntry> entries = new ArrayList<>();

    Work(Instant at, Instant tombstonesUntil, @Nullable Set<Long> exported) {
      this.at = at;
      this.exported = exported;
      this.tombstonesUntil = tombstonesUntil;
    }

    /** Keeps it as long as this run would keep the ledger row, and then as long as a tombstone. */
    void keepRevision(EffectReference reference, @Nullable Candidate found, @Nullable Instant end)
        throws SQLException {
      String origin = reference.origin();
      if (origin == null || found == null || end == null) {
        return;
      }
      Instant lifeEnds = RetentionRule.effectStaysUntil(at, end, life(found.key()), null);
      Instant until =
          (lifeEnds == null ? at : lifeEnds).plus(Duration.between(at, tombstonesUntil));
      keepRevision.with(until).with(found.number()).with(origin).update();
    }

    void lookAgain(Candidate found) throws SQLException {
      Instant due = found.expiresAt();
      if (due != null && !due.isAfter(at)) {
        decide(found, found.ownerEnded());
      }
    }

    /** Decides by the last known end of a run that referred to the effect. */
    void decide(Candidate found, @Nullable Instant knownEnd) throws SQLException {
      Instant lastEnd = knownEnd == null ? Instant.EPOCH : knownEnd;
      Instant stays =
          RetentionRule.effectStaysUntil(at, lastEnd, life(found.key()), found.expiresAt());
      if (stays != null) {
        stay.with(stays).with(found.number()).update();
      } else if (found.state().isOpen() || found.isReferredTo()) {
        // The end of a run that refers to it brings it up again.
        stay.with((Instant) null).with(found.number()).update();
      } else if (exported == null || exported.contains(found.number())) {
        letGo(found);
      } else {
        stay.with(at).with(found.number()).update(); // it is exported, and then looked at again
      }
    }

    private void letGo(Candidate found) throws SQLException {
      Key hash = Key.of(found.key());
      if (TombstoneRule.leavesOne(found.key())) {
        bury.with(found.number())
            .with(hash.bytes())
            .with(found.kind())
            .with(found.state().word())
            .with(found.revision())
            .with(VersionColumns.number(found.version()))
            .with(VersionColumns.text(found.version()))
            .with(found.externalId())
            .with(tombstonesUntil)
            .with(found.key().tenant())
            .update();
      } else {
        free.add(hash);
      }
      if (someRefer) {
        leaveAll.with(found.number()).update();
      }
      resources.drop(found.number());
      entries.addAll(SearchEntry.ofEffect(found.number(), found.key(), (int) found.revision()));
      gone.add(found.number());
    }

    private Duration life(EffectKey key) throws SQLException {
      var name = new Shared(key.tenant(), key.name());
      Duration known = lives.get(name);
      if (known == null) {
        Long millis =
            life.with(Flow.DEFAULT_RETENTION.toMillis())
                .with(key.tenant())
                .with(key.name())
                .first(found -> found.number(1));
        known = millis == null ? Flow.DEFAULT_RETENTION : Duration.ofMillis(millis);
        lives.put(name, known);
      }
      return known;
    }

    void finish() throws SQLException {
      if (!gone.isEmpty()) {
        delete.with(Json.write(gone)).update();
      }
      search.remove(entries);
      keys.remove(free);
      count("effects_expired", gone.size());
    }
  }

  private record Ended(long run, Instant at) {}

  /** A row that may be deleted. */
  private record Candidate(
      EffectKey key,
      long number,
      String kind,
      EffectState state,
      long revision,
      @Nullable ObjectVersion version,
      @Nullable String externalId,
      @Nullable Instant expiresAt,
      boolean isReferredTo,
      @Nullable Instant ownerEnded) {
    static Candidate of(Row row) throws SQLException {
      return new Candidate(
          EffectMapping.key(row),
          row.number(5),
          row.text(6),
          EffectState.of(row.text(7)),
          row.number(8),
          VersionColumns.of(row, 9, 14),
          row.textOrNull(10),
          row.atOrNull(11),
          row.flag(12),
          row.atOrNull(13));
    }
  }
}
