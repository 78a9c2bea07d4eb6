package dev.hapax.engine.pass;

import dev.hapax.effect.EffectProgress;
import dev.hapax.effect.EffectStep;
import dev.hapax.effect.RunPort;
import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepState;
import dev.hapax.engine.replay.Undoables;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Failure;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.store.Change;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Undoes the effects of a run, the last one first. The body is replayed to the point of its failure
 * first, because it knows how to undo each step; it begins nothing new. Each undo is an effect, so
 * a crash, a doubt or a review in the middle of it is handled as for any effect.
 */
final class Compensation implements RunPort {
  private static final int MOST_NAMED = 10;

  /**
   * How many looks at a body that does not move are made before it is given up, though it has not
   * reached everything: ten minutes. A machine that was suspended or is short of cores is not a
   * body that hangs.
   */
  private static final int PATIENCE = 300;

  /** The bodies before each retry, which know effects that the current body does not reach. */
  interface Earlier {
    /** Asks the bodies for their undos, the latest first, until all are known. */
    void tell(List<JournalRow> journal, Failure cause, BooleanSupplier isAllKnown);
  }

  private final RunPass pass;
  private final Fiber body;
  private final EngineParts parts;
  private final Replay replay;
  private final Failure cause;
  private final Map<Asked, Effect<?>> known = new ConcurrentHashMap<>();
  private volatile boolean isBodyOver;

  /**
   * The effect that the body asks for in a step. After a corrected input that may be a different
   * effect than the one to be undone. It then says nothing about that undo.
   */
  private record Asked(Step step, String name, String key) {
    static Asked of(EffectEntry.Claimed claim) {
      return new Asked(claim.step().inRound(1), claim.name(), claim.key());
    }
  }

  /** Reads the whole journal, because the effects of loop items are undone too. */
  Compensation(Fiber body, EngineParts parts, Failure cause) {
    this.pass = body.pass();
    this.body = body;
    this.parts = parts;
    this.replay = Replay.of(parts.store().journal(pass.number()));
    this.cause = cause;
  }

  /** The body has reached this step. A later round also says how to undo the earlier rounds. */
  void learn(Step step, Effect<?> effect) {
    if (effect.compensation() != null) {
      String name = EffectStep.name(effect, step, identity().flow());
      var asked = new Asked(step.inRound(1), name, effect.key());
      if (isBodyOver) {
        known.putIfAbsent(asked, effect); // an earlier body adds only steps that are missing
      } else {
        known.put(asked, effect);
      }
    }
  }

  /**
   * Whether to keep waiting for the body: it moves, or has not reached everything that is to be
   * undone.
   *
   * @param idleLooks how often it was seen without having moved
   */
  boolean needsBody(int idleLooks) {
    return idleLooks == 0 || (idleLooks < PATIENCE && !isAllKnown());
  }

  private boolean isAllKnown() {
    return replay.undoables().lastFirst().stream().allMatch(this::isKnown);
  }

  private boolean isKnown(Undoables.Undoable one) {
    return known.containsKey(Asked.of(one.claim()))
        || replay.stateOf(one.undo()) instanceof StepState.Finished;
  }

  /** Continues where the journal left off, to the run's end or its next wait. */
  void undoAll(Earlier earlier) {
    var left = new ArrayDeque<>(replay.undoables().lastFirst());
    isBodyOver = true;
    try {
      if (!isAllKnown()) {
        earlier.tell(parts.store().journal(pass.number()), cause, this::isAllKnown);
      }
      for (; !left.isEmpty(); left.remove()) {
        undo(left.element());
      }
      Failure error = new Failure(cause.code(), cause.message(), cause.step(), cause.item(), false);
      pass.exit().end(new RunEntry.Ended(RunStatus.COMPENSATED, null, error));
    } catch (StepFailed failed) {
      pass.exit().fail(compensationFailed(failed, left));
    } catch (Unwind unwind) {
      pass.exit().afterUnwind();
    } catch (NoAnswer e) {
      pass.fence().closeFor(e);
      pass.exit().afterUnwind();
    }
  }

  private void undo(Undoables.Undoable one) {
    StepState state = replay.stateOf(one.undo());
    if (state instanceof StepState.Finished) {
      return;
    }
    if (state instanceof StepState.Failed(_, var error)) {
      throw StepFailures.of(error);
    }
    if (parts.draining().concern(identity().tenant())) {
      throw park(RunStatus.WAITING, parts.clock().now());
    }
    EffectProgress progress = state instanceof StepState.Open(var found) ? found : null;
    EffectStep step =
        new UndoSteps(this, parts, replay.undoables())
            .of(one, known.get(Asked.of(one.claim())), progress != null);
    String difference =
        progress == null ? null : step.differenceFrom(progress.claim(), identity().flow());
    if (difference != null) {
      throw mismatch(one.undo(), difference);
    }
    parts.ledger().carryOut(step, progress, this);
  }

  /** A failed undo stops the others, because an earlier effect may depend on the one that stays. */
  private Failure compensationFailed(StepFailed failed, Collection<Undoables.Undoable> left) {
    String named =
        left.stream()
            .limit(MOST_NAMED)
            .map(Undoables.Undoable::name)
            .collect(Collectors.joining(", "));
    int more = left.size() - MOST_NAMED;
    String message =
        "step '%s' failed with %s: %s. Still done: %s%s. The run compensates because of %s: %s. Retry the run to continue undoing, or settle step '%s' if you have undone it by hand."
            .formatted(
                failed.step(),
                failed.code(),
                failed.getMessage(),
                named,
                more > 0 ? " and %,d more".formatted(more) : "",
                cause.code(),
                cause.message(),
                failed.step());
    return new Failure("compensation-failed", message, failed.step(), failed.item(), true);
  }

  // ---- RunPort: an undo belongs to its run as an effect does, but nothing stops it

  @Override
  public Identity identity() {
    return body.identity();
  }

  @Override
  public @Nullable Instant occurredAt() {
    return body.occurredAt();
  }

  @Override
  public void add(JournalEntry entry, Change... changes) {
    body.add(entry, changes);
  }

  @Override
  public boolean settlesByAnswer(Step step) {
    return body.settlesByAnswer(step);
  }

  @Override
  public void circuitOpened(Step step, String destination) {
    body.circuitOpened(step, destination);
  }

  @Override
  public void commit() {
    body.commit();
  }

  @Override
  public String keep(String json) {
    return body.keep(json);
  }

  @Override
  public Answer ask(JournalEntry entry, Change question) {
    return body.ask(entry, question);
  }

  @Override
  public Unwind park(RunStatus status, @Nullable Instant dueAt) {
    return body.park(status, dueAt);
  }

  @Override
  public boolean isBesideOthers() {
    return false; // one after the other, in reverse order
  }

  @Override
  public @Nullable String branch() {
    return null;
  }

  @Override
  public boolean isStopping() {
    return false;
  }

  @Override
  public Instant sleptPast() {
    return Instant.MIN; // an undo may have been lost wherever the body slept
  }

  /** An undo is not part of a plan. */
  @Override
  public @Nullable ReplayClaim replay(Step step, String name, String key) {
    return null;
  }

  @Override
  public Unwind planStale(Step step, String what) {
    return body.planStale(step, what);
  }

  @Override
  public ClaimAnswer.@Nullable NotPlanned refusedByPlan(Step step) {
    return body.refusedByPlan(step);
  }

  @Override
  public Unwind mismatch(Step step, String difference) {
    throw StepFailures.of(pass.match().failure(step, difference));
  }

  @Override
  public Unwind stop() {
    return body.stop();
  }
}
