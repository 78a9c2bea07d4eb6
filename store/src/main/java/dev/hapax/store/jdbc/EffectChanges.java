package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectRecord;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.ledger.ClaimRule;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.EffectImport;
import dev.hapax.run.ledger.UndoClaim;
import dev.hapax.run.ledger.UndoRule;
import dev.hapax.run.retention.EffectHolder;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.retention.ImportRule;
import dev.hapax.run.retention.TombstoneRule;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies a group's changes to the ledger. */
final class EffectChanges {
  private final Tables tables;
  private final long run;

  EffectChanges(Tables tables, long run) {
    this.tables = tables;
    this.run = run;
  }

  ClaimAnswer claim(EffectClaim claim) throws SQLException {
    if (!claim.maySend(1) && tables.effects().isNew(claim)) {
      return claim.notPlanned(1);
    }
    return switch (tables.effects().insert(claim)) {
      case null -> {
        tables.resources().refer(claim.number(), run, claim.request());
        yield new ClaimAnswer.Granted(claim.number(), 1);
      }
      case EffectHolder.Present(var row) -> claim(row, claim);
      case EffectHolder.Expired(var tombstone) -> claim(tombstone, claim);
    };
  }

  private ClaimAnswer claim(EffectRecord row, EffectClaim claim) throws SQLException {
    tables.resources().refer(row.number(), run, claim.request());
    ClaimRule ruled =
        ClaimRule.decide(row, tables.runs().id(row.run()), claim, ownRevision(row.number(), claim));
    EffectRecord after = ruled.change();
    if (after != null) {
      tables.effects().change(after);
    }
    if (row.run() != claim.run() && !(row.isImported() && changesHands(row, after))) {
      // The row names its present owner; this reference names the other run.
      tables.ledger().refer(row.number(), changesHands(row, after) ? row.run() : claim.run());
    }
    String origin = claim.origin();
    if (origin != null && ruled.adopts(row)) {
      tables.effects().keepRevision(row.number(), origin);
    }
    if (ruled.answer() instanceof ClaimAnswer.Held(long effect, var _, var _)) {
      tables.waiters().add(effect, claim.run());
    }
    return ruled.answer();
  }

  private static boolean changesHands(EffectRecord row, @Nullable EffectRecord after) {
    return after != null && after.run() != row.run();
  }

  /** Adds rows that no run has claimed. */
  Answer.Imported bringIn(List<EffectImport> rows) throws SQLException {
    int added = 0;
    int same = 0;
    List<Answer.Imported.Kept> kept = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      EffectImport row = rows.get(i);
      EffectHolder present = tables.effects().insert(row);
      String difference = present == null ? null : ImportRule.difference(present, row);
      if (present == null) {
        added++;
        refer(row);
      } else if (difference == null) {
        same++;
      } else {
        kept.add(new Answer.Imported.Kept(i, present.number(), difference));
      }
    }
    return new Answer.Imported(added, same, kept);
  }

  private void refer(EffectImport row) throws SQLException {
    String output = row.output();
    if (output != null) {
      tables.resources().refer(row.number(), row.key().tenant(), output);
    }
  }

  boolean adopt(Change.AdoptId adopt) throws SQLException {
    boolean holds = adopt.holdsFor(tables.effects().find(adopt.effect()));
    if (holds) {
      tables.effects().adopt(adopt);
    }
    return holds;
  }

  private ClaimAnswer claim(EffectTombstone tombstone, EffectClaim claim) throws SQLException {
    boolean isRerun = ownRevision(tombstone.number(), claim) != null;
    ClaimRule ruled =
        TombstoneRule.decide(tombstone, claim, tables.ledger().renews(claim.run()), isRerun);
    EffectRecord after = ruled.change();
    if (after != null) {
      tables.effects().revive(after);
      tables.resources().refer(after.number(), run, claim.request());
    }
    return ruled.answer();
  }

  private ClaimRule.@Nullable Revision ownRevision(long effect, EffectClaim claim)
      throws SQLException {
    String origin = claim.origin();
    return origin == null ? null : tables.effects().revision(effect, origin);
  }

  ClaimAnswer undo(UndoClaim wish) throws SQLException {
    EffectRecord target = tables.effects().find(wish.target());
    var overtaken = UndoRule.overtaken(target, wish);
    if (target == null || overtaken != null) {
      return Objects.requireNonNull(overtaken);
    }
    EffectRecord row =
        tables.effects().insert(wish.claim()) instanceof EffectHolder.Present(var present)
            ? present
            : wish.claim().granted();
    Long reuser = target.reusedBy();
    var ruled = UndoRule.begin(target, row, wish, reuser == null ? null : tables.runs().id(reuser));
    tables.effects().change(ruled.target());
    if (!ruled.undo().equals(row)) {
      tables.effects().change(ruled.undo());
    }
    return ruled.answer();
  }

  /** False if the row no longer belongs to the run in this revision, or was claimed again. */
  boolean afterUndo(Change.AfterUndo after) throws SQLException {
    EffectRecord row = tables.effects().find(after.effect());
    if (row == null
        || row.run() != run
        || row.revision() != after.revision()
        || !after.canFollow(row.state())) {
      return false;
    }
    tables.effects().state(after.effect(), after.state());
    return true;
  }

  /** Returns false if the row no longer belongs to the run in this revision. */
  boolean settle(Change.Effect effect) throws SQLException {
    if (!tables.effects().settle(run, effect)) {
      return false;
    }
    tables.resources().refer(effect.effect(), run, effect.result());
    String origin = effect.origin();
    if (origin != null) {
      tables.effects().keepRevision(effect.effect(), origin);
    }
    return true;
  }
}
