package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.run.ledger.ClaimRule;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.EffectImport;
import dev.hapax.run.retention.EffectHolder;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.store.Change;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code effect} and {@code revision}. */
final class EffectRows {
  /** As for runs, one statement also checks whether the key is taken. */
  private static final String COLUMNS =
      """
      number, tenant, name, key, additive_run, kind, guard, state, revision, run, step, item, round, attempts,
        fingerprint, request, version, version_text, first_sent_at\
      """;

  private static final String VALUES =
      """
      :number, :tenant, :name, :key, :additive_run, :kind, :guard, 'pending', 1, :run, :step, :item, :round, 1,
        :fingerprint, :request, :version, :version_text, :at\
      """;

  private static final String IMPORTED =
      """
      number, tenant, name, key, additive_run, kind, guard, state, revision, run, step, attempts, version, version_text,
        result, external_id, first_sent_at, evidence\
      """;

  private static final String IMPORTED_VALUES =
      """
      :number, :tenant, :name, :key, :additive_run, :kind, :guard, :state, :revision, :run, :step, 0, :version, :version_text,
        :result, :external_id, :at, :evidence\
      """;

  private static final String ADOPT =
      "UPDATE effect SET external_id = :external_id WHERE number = :effect";

  /** Replaces a tombstone; {@link #CHANGE} writes the rest of the claim. */
  private static final String REVIVED =
      "number, tenant, name, key, kind, guard, state, revision, run, step, attempts";

  private static final String REVIVED_VALUES =
      ":number, :tenant, :name, :key, :kind, :guard, :state, :revision, :run, :step, :attempts";

  private static final String SETTLE =
      """
      UPDATE effect SET state = :state, attempts = :attempts, result = :result, external_id = :external_id,
        evidence = :evidence
      WHERE number = :effect AND run = :run AND revision = :revision
      """;

  private static final String STATE = "UPDATE effect SET state = :state WHERE number = :effect";

  private static final String ATTEMPT =
      "UPDATE effect SET attempts = :attempts WHERE number = :effect AND run = :run AND revision = :revision";

  private static final String OWNS =
      "SELECT 1 FROM effect WHERE number = :effect AND run = :run AND revision = :revision";

  private static final String CHANGE =
      """
      UPDATE effect SET key = :key, kind = :kind, guard = :guard, state = :state, revision = :revision, run = :run, step = :step,
        item = :item, round = :round, attempts = :attempts, fingerprint = :fingerprint, request = :request, version = :version,
        version_text = :version_text, result = :result, external_id = :external_id, first_sent_at = :first_sent_at, reused_by = :reused_by,
        evidence = :evidence
      WHERE number = :number
      """;

  private static final String KEEP_REVISION =
      """
      INSERT INTO revision (effect, origin, revision, fingerprint, result, run)
      SELECT number, :origin, revision, fingerprint, result, run FROM effect WHERE number = :effect
      ON CONFLICT (effect, origin) DO UPDATE
      SET revision = excluded.revision, fingerprint = excluded.fingerprint, result = excluded.result, run = excluded.run,
        until = NULL
      """;

  static final String REVISION =
      """
      SELECT revision.revision, revision.fingerprint, revision.result, coalesce(
        (SELECT id FROM run WHERE number = revision.run), (SELECT id FROM expired_run WHERE number = revision.run))
      FROM revision WHERE effect = :effect AND origin = :origin
      """;

  private final KeyIndex keys;
  private final LedgerRows ledger;
  private final SearchRows search;
  private final Prepared insert;
  private final Prepared bringIn;
  private final Prepared adopt;
  private final Prepared revive;
  private final Prepared find;
  private final Prepared settle;
  private final Prepared state;
  private final Prepared attempt;
  private final Prepared owns;
  private final Prepared change;
  private final Prepared keepRevision;
  private final Prepared revision;

  EffectRows(Session session, KeyIndex keys, LedgerRows ledger, SearchRows search)
      throws SQLException {
    this.search = search;
    this.keys = keys;
    this.ledger = ledger;
    this.insert = session.prepare(session.dialect().insertEffect(COLUMNS, VALUES));
    this.bringIn = session.prepare(session.dialect().insertEffect(IMPORTED, IMPORTED_VALUES));
    this.adopt = session.prepare(ADOPT);
    this.revive = session.prepare(session.dialect().reviveEffect(REVIVED, REVIVED_VALUES));
    this.find =
        session.prepare(
            "SELECT "
                + EffectMapping.COLUMNS
                + " FROM effect WHERE number = :number"
                + session.dialect().forUpdate());
    this.settle = session.prepare(SETTLE);
    this.state = session.prepare(STATE);
    this.attempt = session.prepare(ATTEMPT);
    this.owns = session.prepare(OWNS);
    this.change = session.prepare(CHANGE);
    this.keepRevision = session.prepare(KEEP_REVISION);
    this.revision = session.prepare(REVISION);
  }

  /** Writes the claim's row and returns null, or returns the row that already has its key. */
  @Nullable EffectHolder insert(EffectClaim claim) throws SQLException {
    Key hash = Key.of(claim.key());
    if (keys.isTaken(hash) || tryInsert(claim, hash) == 0) {
      return existing(hash);
    }
    keys.add(hash, claim.number());
    return null;
  }

  /** As above, for a row that no run has claimed. */
  @Nullable EffectHolder insert(EffectImport given) throws SQLException {
    Key hash = Key.of(given.key());
    if (keys.isTaken(hash) || tryInsert(given.row(), hash) == 0) {
      return existing(hash);
    }
    keys.add(hash, given.number());
    return null;
  }

  private int tryInsert(EffectRecord row, Key hash) throws SQLException {
    RunId additiveRun = row.key().additiveRun();
    return bringIn
        .with(row.number())
        .with(row.key().tenant())
        .with(row.key().name())
        .with(row.key().key())
        .with(additiveRun == null ? null : additiveRun.bytes())
        .with(EffectMapping.word(row.kind()))
        .with(row.guard())
        .with(row.state().word())
        .with(row.revision())
        .with(row.run())
        .with(row.step().name())
        .with(VersionColumns.number(row.version()))
        .with(VersionColumns.text(row.version()))
        .with(row.result())
        .with(row.externalId())
        .with(row.firstSentAt())
        .with(row.evidence())
        .with(hash.bytes())
        .update();
  }

  void adopt(Change.AdoptId id) throws SQLException {
    adopt.with(id.externalId()).with(id.effect()).update();
  }

  /** Whether no row and no tombstone has the claim's key. */
  boolean isNew(EffectClaim claim) throws SQLException {
    return keys.number(Key.of(claim.key())) == null;
  }

  private int tryInsert(EffectClaim claim, Key hash) throws SQLException {
    EffectKey key = claim.key();
    RunId additiveRun = key.additiveRun();
    return insert
        .with(claim.number())
        .with(key.tenant())
        .with(key.name())
        .with(key.key())
        .with(additiveRun == null ? null : additiveRun.bytes())
        .with(EffectMapping.word(claim.kind()))
        .with(claim.guard())
        .with(claim.run())
        .with(claim.step().name())
        .with(claim.step().item())
        .with(WaitMapping.round(claim.step()))
        .with(EffectMapping.bytes(claim.fingerprint()))
        .with(claim.request())
        .with(VersionColumns.number(claim.version()))
        .with(VersionColumns.text(claim.version()))
        .with(claim.at())
        .with(hash.bytes())
        .update();
  }

  private EffectHolder existing(Key hash) throws SQLException {
    Long number = keys.number(hash);
    EffectRecord effect = number == null ? null : find(number);
    if (effect != null) {
      return new EffectHolder.Present(effect);
    }
    EffectTombstone tombstone = number == null ? null : ledger.tombstone(number);
    if (tombstone == null) {
      throw new RowIsGone("the effect that has the key");
    }
    return new EffectHolder.Expired(tombstone);
  }

  /** Inserts a row in place of its tombstone; the key index still leads there. */
  void revive(EffectRecord row) throws SQLException {
    ledger.removeTombstone(row.number());
    revive
        .with(row.number())
        .with(row.key().tenant())
        .with(row.key().name())
        .with(row.key().key())
        .with(EffectMapping.word(row.kind()))
        .with(row.guard())
        .with(row.state().word())
        .with(row.revision())
        .with(row.run())
        .with(row.step().name())
        .with(row.attempts())
        .with(row.key().hash())
        .update();
    change(row);
  }

  @Nullable EffectRecord find(long number) throws SQLException {
    return find.with(number).first(EffectMapping::of);
  }

  void state(long number, EffectState to) throws SQLException {
    state.with(to.word()).with(number).update();
  }

  /** Writes the row as {@link ClaimRule} changed it. */
  void change(EffectRecord after) throws SQLException {
    change
        .with(after.key().key())
        .with(EffectMapping.word(after.kind()))
        .with(after.guard())
        .with(after.state().word())
        .with(after.revision())
        .with(after.run())
        .with(after.step().name())
        .with(after.step().item())
        .with(WaitMapping.round(after.step()))
        .with(after.attempts())
        .with(EffectMapping.bytes(after.fingerprint()))
        .with(after.request())
        .with(VersionColumns.number(after.version()))
        .with(VersionColumns.text(after.version()))
        .with(after.result())
        .with(after.externalId())
        .with(after.firstSentAt())
        .with(after.reusedBy())
        .with(after.evidence())
        .with(after.number())
        .update();
    search.revised(after);
  }

  /** Returns false if the row no longer belongs to the run in this revision. */
  boolean settle(long run, Change.Effect to) throws SQLException {
    return settle
            .with(to.state().word())
            .with(to.attempt())
            .with(to.result())
            .with(to.externalId())
            .with(to.evidence())
            .with(to.effect())
            .with(run)
            .with(to.revision())
            .update()
        == 1;
  }

  /**
   * Returns false if the row no longer belongs to the run in this revision. A doubt stays a doubt:
   * this attempt does not settle it.
   */
  boolean attempt(long run, Change.Attempt next) throws SQLException {
    return attempt.with(next.attempt()).with(next.effect()).with(run).with(next.revision()).update()
        == 1;
  }

  boolean owns(long run, long effect, int revision) throws SQLException {
    return owns.with(effect).with(run).with(revision).first(row -> row.flag(1)) != null;
  }

  void keepRevision(long effect, String origin) throws SQLException {
    keepRevision.with(origin).with(effect).update();
  }

  ClaimRule.@Nullable Revision revision(long effect, String origin) throws SQLException {
    return revision
        .with(effect)
        .with(origin)
        .first(
            row -> {
              byte[] fingerprint = row.bytesOrNull(2);
              return new ClaimRule.Revision(
                  (int) row.number(1),
                  fingerprint == null ? null : Fingerprint.of(fingerprint),
                  row.textOrNull(3),
                  RunRows.id(row.bytesOrNull(4)));
            });
  }
}
