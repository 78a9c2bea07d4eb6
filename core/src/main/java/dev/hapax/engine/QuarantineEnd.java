package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.writing.Endings;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends a quarantined run without loading it. Its effects under way go into review, because only its
 * code could settle them otherwise; the run ends when a person has settled the last one. A run that
 * has begun to undo its effects cannot end here.
 */
public final class QuarantineEnd {
  private static final int MOST_TRIES = 1_000;
  private static final int PAGE = 200;

  /** An effect that is being undone belongs to a run that cannot end here. */
  private static final List<EffectState> OPEN =
      List.of(EffectState.PENDING, EffectState.DOUBT, EffectState.REVIEW);

  private static final Failure NOT_SENT =
      Failure.of("canceled", "the effect did not happen before the run was canceled", true);

  private final EngineParts parts;
  private final SuspectNotes notes;

  QuarantineEnd(EngineParts parts, SuspectNotes notes) {
    this.parts = parts;
    this.notes = notes;
  }

  /** Loads the run without its journal. */
  @Nullable StoredRun row(long run) {
    return parts.store().load(run, Long.MAX_VALUE);
  }

  /**
   * Requests the cancel and carries it out; false if the run had left its quarantine before.
   *
   * @throws NotPossible if the run has begun to undo its effects, or is to
   */
  public boolean cancel(long number, Run.Cancel wish) {
    boolean isRequested = false;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      StoredRun stored = row(number);
      if (stored == null || !stored.run().isQuarantined()) {
        return isRequested; // another caller has ended it since, or a person has resumed it
      }
      Run run = stored.run();
      Run.Cancel before = run.cancel();
      QuarantineState state = notes.stateOf(run);
      if (before == null && !state.mustUndo(run)) {
        isRequested |= tell(stored, state, wish, new Change.RequestCancel(wish));
      } else if (before != null && !state.cancelTold()) {
        tell(stored, state, before, null);
      } else if (before == null || state.mustUndo(run)) {
        throw new NotPossible(
            "run %s is quarantined and has begun to undo its effects, or is to, which only its own code can do: resume it, and it goes on to undo them"
                .formatted(run.id()));
      } else if (isOver(stored, state)) {
        stopChildren(run, before);
        return true;
      }
    }
    throw new NotPossible("the run keeps changing. Read it again and repeat the call");
  }

  /** Carries out the cancel that was requested before, if there is one that needs no undo. */
  public void carryOut(long number) {
    Run run = parts.store().run(number);
    Run.Cancel wish = run == null || !run.isQuarantined() ? null : run.cancel();
    if (run != null && wish != null && !notes.stateOf(run).mustUndo(run)) {
      cancel(number, wish);
    }
  }

  /**
   * What to write with a person's decision about an effect of a quarantined run; null if nothing. A
   * run that goes on sends again what did not happen; one that ends here does not.
   */
  public @Nullable Change settling(Run run, Change.Effect decided) {
    return decided.state() == EffectState.PENDING
        ? notes.keep(run.number(), notes.stateOf(run).notSent(decided.effect()))
        : null;
  }

  /** Writes the cancel into the journal, where it is from the moment on at which it is accepted. */
  private boolean tell(
      StoredRun stored,
      QuarantineState state,
      Run.Cancel wish,
      Change.@Nullable RequestCancel request) {
    List<Change> changes = new ArrayList<>();
    if (request != null) {
      changes.add(request);
    }
    changes.add(notes.keep(stored.run().number(), state.told()));
    var told = new RunEntry.CancelRequested(wish.actor(), wish.reason());
    Group group = group(stored, changes, List.of(told), null);
    GroupAnswer answer =
        request == null
            ? parts.committer().submit(group).await() // it was accepted before
            : parts.committer().commit(group);
    return answer instanceof GroupAnswer.Landed;
  }

  /** Whether nothing is left to do, now or until a person has settled something. */
  private boolean isOver(StoredRun stored, QuarantineState state) {
    List<EffectRecord> open = open(stored.run());
    List<EffectRecord> notSent =
        open.stream()
            .filter(row -> row.state() == EffectState.PENDING)
            .filter(row -> state.notSent().contains(row.number()))
            .toList();
    EffectRecord toReview =
        open.stream()
            .filter(row -> row.state() != EffectState.REVIEW && !notSent.contains(row))
            .findFirst()
            .orElse(null);
    if (toReview != null) {
      review(stored, toReview);
      return false;
    }
    return open.size() > notSent.size() || end(stored, notSent);
  }

  /** Reads all that are open: no index leads from a run to its effects, and this is rare. */
  private List<EffectRecord> open(Run run) {
    List<EffectRecord> found = new ArrayList<>();
    for (EffectState state : OPEN) {
      EffectFilter filter = EffectFilter.of(run.tenant()).state(state).limit(PAGE);
      List<EffectRecord> page;
      do {
        page = parts.store().effects(filter);
        page.stream().filter(row -> row.run() == run.number()).forEach(found::add);
        filter = page.isEmpty() ? filter : filter.before(page.getLast().number());
      } while (page.size() == PAGE);
    }
    return found;
  }

  private void review(StoredRun stored, EffectRecord row) {
    String evidence =
        "its run is quarantined and was canceled before the outcome of the effect was known";
    submit(
        stored,
        List.of(changed(row, EffectState.REVIEW, evidence)),
        List.of(new EffectEntry.InReview(row.step(), row.revision(), row.attempts(), evidence)),
        row.step().outermostItem());
  }

  private static Change changed(EffectRecord row, EffectState state, @Nullable String evidence) {
    return new Change.Effect(
        row.number(),
        row.revision(),
        state,
        row.attempts(),
        row.result(),
        row.externalId(),
        evidence,
        null);
  }

  private boolean end(StoredRun stored, List<EffectRecord> notSent) {
    Failure why = Failure.of("canceled", "the run was canceled in quarantine", false);
    long number = stored.run().number();
    List<Change> changes = new ArrayList<>();
    List<JournalEntry> entries = new ArrayList<>();
    for (EffectRecord row : notSent) {
      changes.add(changed(row, EffectState.FAILED, row.evidence()));
      entries.add(
          new EffectEntry.EffectFailed(
              row.step(), row.revision(), row.attempts(), NOT_SENT.at(row.step())));
    }
    parts.store().waits().ofRun(number).stream()
        .filter(Wait::isUnheardReview)
        .forEach(
            told -> { // the ledger has it already
              changes.add(new Change.HearDecision(told));
              String said = Objects.requireNonNull(told.decision(), "what was decided");
              entries.add(Json.read(said, JournalEntry.class));
            });
    changes.add(new Change.CloseWaits(false));
    changes.add(new Change.End(RunStatus.CANCELED, null, why, true));
    entries.add(new RunEntry.Ended(RunStatus.CANCELED, null, why));
    GroupAnswer.Landed landed = submit(stored, changes, entries, null);
    if (landed == null || landed.answers().stream().anyMatch(Answer.NotEnded.class::isInstance)) {
      return false;
    }
    notes.removeAllSoon(number);
    parts.endings().tell(number, new Endings.Result(RunStatus.CANCELED, null, why));
    return true;
  }

  private void stopChildren(Run run, Run.Cancel wish) {
    String reason = "the run that called it was canceled by " + wish.actor();
    Long before = null;
    List<Run> page;
    do {
      page =
          parts
              .store()
              .runs(new RunFilter(run.tenant(), null, null, null, before, PAGE).childrenOf(run));
      for (Run child : page) {
        before = child.number();
        if (!child.status().isEnd()) {
          stop(child, new Run.Cancel(wish.actor(), reason));
        }
      }
    } while (page.size() == PAGE);
  }

  /** A quarantined child that must undo its effects stays until a person resumes it. */
  private void stop(Run child, Run.Cancel wish) {
    if (child.isQuarantined()) {
      if (!notes.stateOf(child).mustUndo(child)) {
        cancel(child.number(), wish);
      }
      return;
    }
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            new Head.NotEnded(child.number()),
            List.of(new Change.RequestCancel(wish)),
            null);
    parts.committer().submit(group).await();
    parts.hearCancel().accept(child.number());
  }

  private GroupAnswer.@Nullable Landed submit(
      StoredRun stored, List<Change> changes, List<JournalEntry> entries, @Nullable String item) {
    Group group = group(stored, changes, entries, item);
    return parts.committer().submit(group).await() instanceof GroupAnswer.Landed landed
        ? landed
        : null;
  }

  private Group group(
      StoredRun stored, List<Change> changes, List<JournalEntry> entries, @Nullable String item) {
    return new Group(
        parts.ids().next(),
        parts.clock().now(),
        new Head.Owned(stored.run().number(), Run.QUARANTINE, stored.seq()),
        List.copyOf(changes),
        JournalRow.write(entries),
        item);
  }
}
