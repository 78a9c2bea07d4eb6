package dev.hapax.engine.start;

import dev.hapax.admission.Admission;
import dev.hapax.admission.DuplicateCounter;
import dev.hapax.admission.InputRules;
import dev.hapax.admission.RunAdmission;
import dev.hapax.admission.StartRequest;
import dev.hapax.engine.code.FlowRegistry;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.writing.PendingStart;
import dev.hapax.flow.Caller;
import dev.hapax.flow.ConcurrencyLimit;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.TenantLimits;
import dev.hapax.json.Text;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one way in. A start by a caller, an event, a schedule, a message or another run is a {@link
 * StartRequest} to this class. Admission gives the run its identity, and one commit writes the run
 * together with the rows that belong to its start: its first intent, the event, the schedule's row,
 * the caller's own rows, or the journal of the run that calls it. Safe for many threads.
 */
public final class RunStarts {
  private final Node node;
  private final FlowRegistry flows;
  private final RunAdmission admission;
  private final DuplicateCounter duplicates;
  private final TenantLimits limits;
  private final Committer committer;
  private final Clock clock;
  private final IdSource ids;

  /** The node on which the runs begin. */
  public interface Node {
    /** Refuses if nothing can be started now. */
    void refuseIfClosed();

    /** Begins a run that is not durable yet. Its first commit inserts it. */
    PendingStart begin(Flow<?, ?> flow, NewRun run);
  }

  public RunStarts(
      Node node,
      FlowRegistry flows,
      RunAdmission admission,
      DuplicateCounter duplicates,
      TenantLimits limits,
      Committer committer,
      Clock clock,
      IdSource ids) {
    this.node = node;
    this.flows = flows;
    this.admission = admission;
    this.duplicates = duplicates;
    this.limits = limits;
    this.committer = committer;
    this.clock = clock;
    this.ids = ids;
  }

  /** The code of a release, for an earlier body of a run; null if it is not here. */
  public @Nullable Flow<?, ?> codeOf(String tenant, String flow, int release) {
    return flows.find(new FlowRelease(tenant, flow, release));
  }

  /** Starts a run for a caller. It begins at once, and is durable when this returns. */
  public Started start(StartRequest<?> request) {
    return admit(request, run -> begin(request.flow(), run));
  }

  /**
   * Starts a run in a transaction that the caller commits.
   *
   * @param transaction writes the group, and wakes the run after the commit
   */
  public Started startIn(Function<Group, GroupAnswer> transaction, StartRequest<?> request) {
    return admit(request, run -> write(request.flow(), run, transaction));
  }

  /** Looks the key up again if another start has taken it since the last look. */
  private <I> Started admit(StartRequest<I> request, Function<NewRun, @Nullable Started> commit) {
    node.refuseIfClosed();
    if (!flows.isRegistered(request.tenant(), request.flow())) {
      throw new IllegalStateException(
          request.flow() + " is not registered here: call hapax.register(flow) before starting it");
    }
    InputRules.refuseUnreadable(request.flow(), request.input());
    while (true) {
      Started started =
          switch (admission.admit(request)) {
            case Admission.Fresh(var run) -> counted(run, commit);
            case Admission.Taken taken -> found(taken, request.caller());
          };
      if (started != null) {
        return started;
      }
    }
  }

  /** The run's right to start is kept also if its outcome is unknown: no quota is exceeded. */
  private @Nullable Started counted(NewRun run, Function<NewRun, @Nullable Started> commit) {
    QuotaExceeded refusal = take(run.tenant(), 1, run.input().length()).refusal();
    if (refusal != null) {
      throw refusal;
    }
    try {
      Started started = commit.apply(run);
      if (started == null || started instanceof Started.Found) {
        giveBack(run.tenant(), 1);
      }
      return started;
    } catch (ConcurrencyLimit | StoreFull | IllegalArgumentException e) {
      giveBack(run.tenant(), 1);
      throw e;
    }
  }

  /**
   * Takes the right to start so many new runs, for those that {@link #commit} starts.
   *
   * @param bytes the size of their inputs together
   */
  public TenantLimits.Grant take(String tenant, int runs, long bytes) {
    if (committer.isFull()) { // before the count of the day, which is in the store
      throw StoreFull.refusing();
    }
    return limits.takeStarts(tenant, runs, bytes);
  }

  /** Returns why an event of this size that starts no run may not be kept; null if it may. */
  public @Nullable QuotaExceeded refusalToKeep(String tenant, long bytes) {
    return limits.refusalToKeep(tenant, bytes);
  }

  /** Gives the right back: these runs were not started, or existed before. */
  public void giveBack(String tenant, int runs) {
    if (runs > 0) {
      limits.giveBackStarts(tenant, runs);
    }
  }

  private Started found(Admission.Taken taken, @Nullable Caller caller) {
    if (taken instanceof Admission.Duplicate(var first)) {
      duplicates.count(first.number(), Door.START, caller == null ? null : caller.name());
    }
    return new Started.Found(taken);
  }

  /** Counts a duplicate that its commit has stopped, on the run that exists. */
  public void stopped(long run, Door door, String caller) {
    duplicates.count(run, door, caller);
  }

  /** As above, by the id of the run. */
  public void stopped(RunId run, Door door, String caller) {
    duplicates.count(run, door, caller);
  }

  /** The run's first intent is in the commit that inserts it. Null if the key was taken. */
  private @Nullable Started begin(Flow<?, ?> flow, NewRun run) {
    PendingStart pendingStart = node.begin(flow, run);
    try {
      return pendingStart.await() == null ? new Started.Fresh(run, pendingStart.ending()) : null;
    } catch (PendingStart.KeyChangedHands e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Started.Interrupted(run.id(), e);
    }
  }

  /** The caller's own rows are in the commit that inserts the run. Null if the key was taken. */
  private @Nullable Started write(
      Flow<?, ?> flow, NewRun run, Function<Group, GroupAnswer> transaction) {
    var group = new Group(ids.next(), clock.now(), new Head.Insert(run, null), List.of(), null);
    return switch (transaction.apply(group)) {
      case GroupAnswer.Landed _, GroupAnswer.Queued _ -> new Started.Fresh(run, null);
      case GroupAnswer.Exists(var first) ->
          found(RunAdmission.comeAgain(flow, run, first), run.startedBy());
      case GroupAnswer.Lost _, GroupAnswer.Expired _ -> null;
      case GroupAnswer.Busy(var holder) -> throw new ConcurrencyLimit(run.flow(), holder);
      case GroupAnswer.Refused(var problem) ->
          throw new IllegalArgumentException("the store refused this run: " + problem);
      case GroupAnswer.Blocked _, GroupAnswer.NoSpace _ ->
          throw new IllegalStateException("nothing was submitted to the committer");
    };
  }

  /**
   * Returns the run that a request asks for. A change of the next commit starts it; the commit
   * decides whether the run exists already.
   */
  public <I> NewRun prepare(StartRequest<I> request) {
    return admission.prepare(request);
  }

  /**
   * As above, for a request of another run.
   *
   * @throws RunAdmission.InvalidInput if there can be no such run
   */
  public <I> NewRun prepareChild(StartRequest<I> request) {
    Flow<I, ?> flow = request.flow();
    InputRules.refuseUnreadable(flow, request.input());
    InputRules.refuseUnfit(flow, request.input());
    try {
      return admission.prepare(request);
    } catch (RuntimeException e) { // the flow's key function can throw too
      NoAnswer.passOn(e); // the calling run is tried again later
      if (e instanceof RunAdmission.InvalidInput invalid) {
        throw invalid;
      }
      String why = "%s: %s".formatted(flow, Text.messageOf(e));
      throw new RunAdmission.InvalidInput("invalid-input", why, e);
    }
  }

  /**
   * Commits prepared runs with the rows that belong to their start: all of it or nothing. The runs
   * begin when they are durable.
   *
   * @param rows the event, which carries its run itself, or the row of a schedule
   */
  public GroupAnswer commit(List<? extends Change> rows, List<NewRun> runs) {
    return commit(ids.next(), rows, runs);
  }

  /** As above, by an operation that the rows name as their writer. */
  public GroupAnswer commit(long operation, List<? extends Change> rows, List<NewRun> runs) {
    node.refuseIfClosed();
    List<Change> changes = new ArrayList<>(rows);
    runs.forEach(run -> changes.add(new Change.Spawn(run)));
    return committer.commit(Group.always(operation, clock.now(), changes));
  }

  /**
   * As above, for the rights to start so many runs, which were taken before. They are given back if
   * certainly none was started. Of those that landed, the caller gives back what it did not need.
   */
  public GroupAnswer commit(
      List<? extends Change> rows, List<NewRun> runs, String tenant, int taken) {
    GroupAnswer answer;
    try {
      answer = commit(rows, runs);
    } catch (StoreFull e) {
      giveBack(tenant, taken);
      throw e;
    }
    if (!(answer instanceof GroupAnswer.Landed)) {
      giveBack(tenant, taken);
    }
    return answer;
  }

  /** Writes what was counted so far. */
  public void close() {
    duplicates.close();
  }
}
