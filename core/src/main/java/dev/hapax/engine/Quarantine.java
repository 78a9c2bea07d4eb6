package dev.hapax.engine;

import dev.hapax.engine.code.FlowRegistry;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.RunFacts;
import dev.hapax.engine.writing.Endings;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowAlerts;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps runs out of memory that seem to end the processes that load them: such a run is in review,
 * with the evidence, until a person resumes or cancels it. Reads no journal, because the journal
 * itself may be what no process survives.
 */
public final class Quarantine {
  /** The code of the error that a quarantined run has. */
  public static final String CODE = "quarantined";

  private static final Logger log = LoggerFactory.getLogger(Quarantine.class);
  private static final int MOST_TRIES = 100;

  private final EngineParts parts;
  private final SuspectNotes notes;
  private final QuarantineEnd end;
  private final FlowRegistry flows;

  Quarantine(EngineParts parts, FlowRegistry flows, SuspectNotes notes) {
    this.parts = parts;
    this.flows = flows;
    this.notes = notes;
    this.end = new QuarantineEnd(parts, notes);
  }

  /** Puts a convicted run into quarantine, unless a person or another node has decided since. */
  void putConvicted(long number, String evidence) {
    put(
        number,
        evidence,
        () -> {
          SuspectNote note = notes.of(number);
          return note != null && note.isConvicted();
        });
  }

  /** Puts the run into quarantine; false if it is not this process's to decide, or has ended. */
  boolean put(long number, String evidence) {
    return put(number, evidence, () -> true);
  }

  private boolean put(long number, String evidence, BooleanSupplier isStillDue) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      StoredRun stored = end.row(number);
      Run run = stored == null ? null : stored.run();
      if (stored == null || run == null || run.status().isEnd() || isOfOthers(run)) {
        return false;
      }
      if (!isStillDue.getAsBoolean()) {
        return false;
      }
      if (landed(stored, evidence)) {
        log.error(
            "run {} of flow '{}' is quarantined: it is not taken up again until a person resumes or"
                + " cancels it. {}",
            run.id(),
            run.flow(),
            evidence);
        parts.endings().tell(number, new Endings.Result(RunStatus.REVIEW, null, null));
        endIfWished(number);
        return true;
      }
    }
    return false;
  }

  private boolean isOfOthers(Run run) {
    Long owner = run.owner();
    return owner != null && owner != parts.owner();
  }

  private boolean landed(StoredRun stored, String evidence) {
    Run run = stored.run();
    Failure error =
        Failure.of(
            CODE,
            "the run seems to end the server whenever it is loaded, so it is not loaded any more. %s Resume it when the cause is gone, or cancel it."
                .formatted(evidence),
            false);
    List<JournalEntry> entries = new ArrayList<>(List.of(new RunEntry.Quarantined(evidence)));
    List<Change> changes = new ArrayList<>(List.of(new Change.Quarantine(error)));
    NewRun alert =
        parts
            .alerts()
            .about(run.tenant(), alertsOf(run))
            .about(
                Alert.QUARANTINED,
                RunFacts.of(run).identity(),
                Long.toString(stored.seq() + 1),
                error,
                parts.ids().next());
    if (alert != null) {
      entries.add(new RunEntry.Alerted(Alert.QUARANTINED, alert.key(), alert.id().toString()));
      changes.add(new Change.Spawn(alert));
    }
    // Last, so that their answers are not taken for that to the alert.
    changes.add(notes.keep(run.number(), QuarantineState.of(run)));
    changes.add(notes.delete(run.number()));
    Long owner = run.owner();
    Head head =
        owner == null
            ? new Head.Unowned(run.number(), stored.seq())
            : new Head.Owned(run.number(), owner, stored.seq());
    return submit(head, changes, entries);
  }

  private @Nullable FlowAlerts alertsOf(Run run) {
    Flow<?, ?> flow = flows.find(FlowRelease.of(run));
    return flow == null ? null : flow.alerts();
  }

  /** A cancel that was accepted just before is carried out here, because no pass will hear it. */
  private void endIfWished(long number) {
    try {
      end.carryOut(number);
    } catch (StoreUnavailable | NotPossible e) {
      log.warn("the cancel of run {} waits until it is repeated: {}", number, e.getMessage());
    }
  }

  /** Lets a quarantined run go on, with a clean sheet. */
  public void resume(long number, String actor, @Nullable String reason) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      StoredRun stored = end.row(number);
      if (stored == null || !stored.run().isQuarantined()) {
        throw notQuarantined(stored);
      }
      Head head = new Head.Owned(number, Run.QUARANTINE, stored.seq());
      List<Change> changes = new ArrayList<>();
      changes.add(new Change.Resume(notes.stateOf(stored.run()).statusAfter(stored.run())));
      changes.addAll(notes.deleteAll(number));
      if (submit(head, changes, List.of(new RunEntry.Resumed(actor, reason)))) {
        return;
      }
    }
    throw new NotPossible("the run keeps changing. Read it again and repeat the call");
  }

  private static NotPossible notQuarantined(@Nullable StoredRun stored) {
    if (stored == null) {
      return new NotPossible("the run is gone");
    }
    Run run = stored.run();
    return new NotPossible(
        "run %s is %s and not quarantined; only a quarantined run can be resumed%s"
            .formatted(run.id(), run.status().word(), instead(run.status())));
  }

  private static String instead(RunStatus status) {
    return switch (status) {
      case FAILED, PARTIAL -> ": retry it";
      case REVIEW -> ": settle its effect in review";
      default -> status.isEnd() ? "" : ": it continues by itself";
    };
  }

  /** Cancels and settles quarantined runs without loading them. */
  public QuarantineEnd end() {
    return end;
  }

  private boolean submit(Head head, List<Change> changes, List<JournalEntry> entries) {
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            head,
            List.copyOf(changes),
            JournalRow.write(entries));
    return parts.committer().commit(group) instanceof GroupAnswer.Landed;
  }
}
