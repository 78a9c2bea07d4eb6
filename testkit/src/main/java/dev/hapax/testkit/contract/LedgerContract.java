package dev.hapax.testkit.contract;

import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.RetentionReads;
import java.time.Duration;
import java.util.List;

/** Helpers that the contracts of the ledger's retention share. */
public abstract class LedgerContract extends StoreContract {
  static final Duration DEFAULT = Duration.ofDays(30);
  static final Duration LIFE = Duration.ofDays(365);

  final void end(NewRun run) {
    land(next(run, new Change.End(RunStatus.SUCCEEDED, null, null)));
  }

  final void move(Duration time) {
    now = now.plus(time);
  }

  /** Ends the run, lets its retention pass, and makes it leave the effects that it claimed. */
  final void goes(NewRun run, Granted... effects) {
    end(run);
    move(DEFAULT);
    land(leaving(run, effects));
  }

  final void goes(NewRun run, EffectReference reference) {
    end(run);
    move(DEFAULT);
    expireRuns(run);
    land(always(new Change.LeaveEffects(List.of(reference), now.plus(LIFE))));
  }

  final Group leaving(NewRun run, Granted... effects) {
    return always(
        new Change.ExpireRuns(List.of(run.number()), now.plus(LIFE)), leave(run, effects));
  }

  final Group left(NewRun run, Granted... effects) {
    return always(leave(run, effects));
  }

  final Change leave(NewRun run, Granted... effects) {
    List<EffectReference> references =
        List.of(effects).stream()
            .map(effect -> new EffectReference(run.number(), effect.effect(), null))
            .toList();
    return new Change.LeaveEffects(references, now.plus(LIFE));
  }

  final void expireRuns(NewRun run) {
    land(always(new Change.ExpireRuns(List.of(run.number()), now.plus(LIFE))));
  }

  final void expireEffects(Granted effect) {
    land(always(new Change.ExpireEffects(List.of(effect.effect()), now.plus(LIFE))));
  }

  final RetentionReads.Expiring expiring() {
    return store.retention().expiring(now, 100);
  }

  final RunId generation(int generation) {
    return RunId.of(TENANT, FLOW, "A-1", null, generation);
  }

  final String originOf(String origin) {
    return String.valueOf(create(newRun("any"), "any").origin(origin).toClaim().origin());
  }
}
