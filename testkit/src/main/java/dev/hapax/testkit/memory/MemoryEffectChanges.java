package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Changes of a group to the ledger. */
final class MemoryEffectChanges {
  private final MemoryTables tables;
  private final LedgerTable ledger;
  private final long run;
  private final LongConsumer wake;

  MemoryEffectChanges(MemoryTables tables, long run, LongConsumer wake) {
    this.tables = tables;
    this.ledger = tables.ledger();
    this.run = run;
    this.wake = wake;
  }

  ClaimAnswer claim(EffectClaim claim) {
    EffectHolder holder = ledger.holder(claim.key());
    if (holder == null && !claim.maySend(1)) {
      return claim.notPlanned(1);
    }
    return switch (holder) {
      case null -> {
        ledger.put(claim.granted());
        refer(claim.number(), claim);
        yield new ClaimAnswer.Granted(claim.number(), 1);
      }
      case EffectHolder.Present(var row) -> claim(row, claim);
      case EffectHolder.Expired(var tombstone) -> claim(tombstone, claim);
    };
  }

  private ClaimAnswer claim(EffectRecord row, EffectClaim claim) {
    refer(row.number(), claim);
    String owner = tables.retention().idOf(row.run());
    String origin = claim.origin();
    var own = origin == null ? null : ledger.revision(row.number(), origin);
    var ruled = ClaimRule.decide(row, owner, claim, own);
    EffectRecord after = ruled.change();
    if (after != null) {
      ledger.put(after);
    }
    boolean changesHands = after != null && after.run() != row.run();
    if (row.run() != claim.run() && !(row.isImported() && changesHands)) {
      // The row names the run that has it now. This reference names the other run.
      ledger.refer(row.number(), changesHands ? row.run() : claim.run());
    }
    if (origin != null && ruled.adopts(row)) {
      ledger.putRevision(
          row.number(),
          origin,
          new ClaimRule.Revision(row.revision(), row.fingerprint(), row.result(), owner));
    }
    if (ruled.answer() instanceof ClaimAnswer.Held(long effect, var _, var _)) {
      tables.addWaiter(effect, claim.run());
    }
    return ruled.answer();
  }

  Answer.Imported bringIn(List<EffectImport> rows) {
    int added = 0;
    int same = 0;
    List<Answer.Imported.Kept> kept = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      EffectImport row = rows.get(i);
      EffectHolder present = ledger.holder(row.key());
      String difference = present == null ? null : ImportRule.difference(present, row);
      if (present == null) {
        added++;
        ledger.put(row.row());
        tables.resources().refer(row.number(), row.key().tenant(), row.output());
      } else if (difference == null) {
        same++;
      } else {
        kept.add(new Answer.Imported.Kept(i, present.number(), difference));
      }
    }
    return new Answer.Imported(added, same, kept);
  }

  boolean adopt(Change.AdoptId adopt) {
    EffectRecord row = ledger.find(adopt.effect());
    if (row == null || !adopt.holdsFor(row)) {
      return false;
    }
    ledger.put(
        after(
            row,
            new Change.Effect(
                row.number(),
                row.revision(),
                row.state(),
                row.attempts(),
                row.result(),
                adopt.externalId(),
                row.evidence(),
                null)));
    return true;
  }

  static ClaimRule ruled(MemoryTables tables, EffectTombstone tombstone, EffectClaim claim) {
    String origin = claim.origin();
    boolean isRerun =
        origin != null && tables.ledger().revision(tombstone.number(), origin) != null;
    return TombstoneRule.decide(tombstone, claim, tables.retention().renews(claim.run()), isRerun);
  }

  private ClaimAnswer claim(EffectTombstone tombstone, EffectClaim claim) {
    ClaimRule ruled = ruled(tables, tombstone, claim);
    EffectRecord after = ruled.change();
    if (after != null) {
      ledger.put(after);
      refer(after.number(), claim);
    }
    return ruled.answer();
  }

  private void refer(long effect, EffectClaim claim) {
    tables.resources().refer(effect, claim.key().tenant(), claim.request());
  }

  boolean settle(Change.Effect change) {
    EffectRecord row = owned(change.effect(), change.revision());
    if (row == null) {
      return false;
    }
    ledger.put(after(row, change));
    tables.resources().refer(row.number(), row.key().tenant(), change.result());
    String origin = change.origin();
    if (origin != null) {
      String id = tables.retention().idOf(run);
      ledger.putRevision(
          row.number(),
          origin,
          new ClaimRule.Revision(row.revision(), row.fingerprint(), change.result(), id));
    }
    if (!change.state().isOpen()) {
      tables.removeWaiters(row.number()).forEach(wake::accept);
    }
    return true;
  }

  ClaimAnswer undo(UndoClaim wish) {
    EffectRecord target = ledger.find(wish.target());
    var overtaken = UndoRule.overtaken(target, wish);
    if (target == null || overtaken != null) {
      return Objects.requireNonNull(overtaken);
    }
    EffectRecord present = ledger.find(wish.claim().key());
    Long reuser = target.reusedBy();
    var ruled =
        UndoRule.begin(
            target,
            present == null ? wish.claim().granted() : present,
            wish,
            reuser == null ? null : tables.retention().idOf(reuser));
    ledger.put(ruled.target());
    ledger.put(ruled.undo());
    return ruled.answer();
  }

  boolean afterUndo(Change.AfterUndo after) {
    EffectRecord row = owned(after.effect(), after.revision());
    if (row == null || !after.canFollow(row.state())) {
      return false;
    }
    ledger.put(withState(row, after.state()));
    tables.removeWaiters(row.number()).forEach(wake::accept);
    return true;
  }

  /** Records an attempt; returns null if the effect is no longer the run's own in this revision. */
  @Nullable ClaimAnswer attempt(Change.Attempt attempt, boolean isCanceled) {
    EffectRecord row = owned(attempt.effect(), attempt.revision());
    if (row == null) {
      return null;
    }
    if (isCanceled && !attempt.evenIfCanceled()) {
      return new ClaimAnswer.Refused();
    }
    ledger.put(withAttempts(row, attempt.attempt()));
    return new ClaimAnswer.Granted(row.number(), row.revision());
  }

  /** Returns the ledger row if it is still the run's own in this revision. */
  private @Nullable EffectRecord owned(long effect, int revision) {
    EffectRecord row = ledger.find(effect);
    return row != null && row.run() == run && row.revision() == revision ? row : null;
  }

  private static EffectRecord after(EffectRecord row, Change.Effect change) {
    return new EffectRecord(
        row.number(),
        row.key(),
        row.kind(),
        row.guard(),
        change.state(),
        row.revision(),
        row.run(),
        row.step(),
        change.attempt(),
        row.fingerprint(),
        row.request(),
        row.version(),
        change.result(),
        change.externalId(),
        row.firstSentAt(),
        row.reusedBy(),
        change.evidence());
  }

  /** A doubt stays a doubt: the answer to this attempt says nothing about the one before. */
  private static EffectRecord withAttempts(EffectRecord row, int attempts) {
    return after(
        row,
        new Change.Effect(
            row.number(),
            row.revision(),
            row.state(),
            attempts,
            row.result(),
            row.externalId(),
            row.evidence(),
            null));
  }

  private static EffectRecord withState(EffectRecord row, EffectState state) {
    return after(
        row,
        new Change.Effect(
            row.number(),
            row.revision(),
            state,
            row.attempts(),
            row.result(),
            row.externalId(),
            row.evidence(),
            null));
  }
}
