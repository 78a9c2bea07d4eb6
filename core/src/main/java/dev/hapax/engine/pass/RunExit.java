package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Journals;
import dev.hapax.engine.replay.Stopping;
import dev.hapax.engine.writing.Endings;
import dev.hapax.engine.writing.OpenEffects;
import dev.hapax.engine.writing.RunWriter;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a run out of memory: it ends the run, or parks it until a time or a wake-up. Only the
 * thread that decides how the stay ends uses it.
 */
public final class RunExit {
  private static final Logger log = LoggerFactory.getLogger(RunExit.class);

  /** For a run that could not write a person's decision: the delay keeps it from spinning. */
  private static final Duration HEAR_AGAIN = Duration.ofSeconds(1);

  private final EngineParts parts;
  private final RunPass pass;
  private final Flow<?, ?> flow;
  private final Fiber body;
  private final BodyFence fence;
  private final Stopping stopping;
  private volatile Runnable left = () -> {};

  RunExit(EngineParts parts, RunPass pass, Flow<?, ?> flow) {
    this.parts = parts;
    this.pass = pass;
    this.flow = flow;
    this.body = pass.body();
    this.fence = pass.fence();
    this.stopping = pass.stopping();
  }

  /** Called when the run has left memory, though its body may still be on its way out. */
  public void then(Runnable what) {
    left = what;
  }

  /** Ends the run after its body has returned. */
  void finish(String output) {
    try {
      pass.itemJournals().learnUnvisited(body);
      Failure unfinished = leftOpen();
      unfinished = unfinished == null ? leftOut() : unfinished;
      if (unfinished != null) {
        fail(unfinished);
      } else {
        body.tellLeftBehind();
        pass.itemJournals().tellLeftBehind(body);
        end(stopping.isAsked() ? stopping.end() : pass.itemJournals().ended(body.keep(output)));
      }
    } catch (Unwind unwind) {
      afterUnwind();
    } catch (NoAnswer e) {
      fence.closeFor(e);
      afterUnwind();
    }
  }

  /** A call that the journal holds as under way, though the body has ended without it. */
  private @Nullable Failure leftOpen() {
    OpenEffects open = pass.open();
    if (!open.isEmpty()) {
      return endedWithout(open.first(), "an effect under way");
    }
    Step call = stopping.isAsked() ? null : pass.calls().firstUnderWay();
    return call == null ? null : endedWithout(call, "a child run under way");
  }

  /**
   * A step that the journal holds as sent, though the body ended without it and was not to stop.
   */
  private @Nullable Failure leftOut() {
    Step left = stopping.isAsked() ? null : body.journal().replay().unvisited().first("");
    return left == null ? null : endedWithout(left, "sent");
  }

  private Failure endedWithout(Step step, String what) {
    return pass.match()
        .failure(
            step,
            "its journal holds %s as %s, but %s ended without it".formatted(step, what, flow));
  }

  /** The run is parked, or it is to fail, or it could not be written. */
  void afterUnwind() {
    Failure failure = fence.failure();
    RuntimeException problem = fence.trouble();
    if (problem != null) {
      cannotWrite(problem);
    } else if (failure != null) {
      fail(failure);
    }
  }

  /** Ends the run with this failure, or puts its open effects into review. */
  void fail(Failure failure) {
    fence.takeFailure();
    try {
      pass.itemJournals().learnUnvisited(body);
      if (!pass.open().isEmpty()) {
        askPerson(failure);
      } else if (stopping.isAsked() && !pass.isCompensating()) {
        end(stopping.end());
      } else {
        end(new RunEntry.Ended(RunStatus.FAILED, null, failure));
      }
    } catch (Unwind unwind) {
      afterUnwind();
    } catch (NoAnswer e) {
      fence.closeFor(e);
      afterUnwind();
    }
  }

  /** Without the code that sent an effect, only a person can settle it. */
  private void askPerson(Failure failure) {
    if (stopping.isAsked()) {
      askCalledToStop(stopping.isToCompensate());
    }
    shut();
    pass.open().review(failure.message(), body.writer());
    park(RunStatus.REVIEW, null);
  }

  void end(RunEntry.Ended ended) {
    shut();
    noteStop();
    boolean isToCompensate = isToCompensate(ended);
    if (stopping.isAsked()) {
      askCalledToStop(isToCompensate);
      pass.calls().awaitStopped(body);
    }
    if (pass.waits().hasOpen()) {
      boolean goesOn = ended.status().canBeRetried() && !pass.isCompensating() && !isToCompensate;
      body.writer().add(new Change.CloseWaits(goesOn));
    }
    if (isToCompensate) {
      // Durable before anything is undone: from here on no replay goes forward again.
      var cause = Objects.requireNonNull(ended.error(), "why a run failed");
      body.writer().add(new RunEntry.CompensationStarted(cause));
      leaveUntil(parts.clock().now(), RunStatus.COMPENSATING, false);
      return;
    }
    // Together: a flush by the timer between them would end the run without its alert.
    synchronized (body.writer()) {
      body.writer()
          .add(
              ended,
              new Change.End(
                  ended.status(), ended.output(), ended.error(), stopping.isCancelHeard()));
      if (ended.status() == RunStatus.FAILED) {
        Failure error = ended.error();
        String step = error == null ? null : error.step();
        alert(Alert.FAILED, Integer.toString(pass.failures() + 1), error, step);
      }
    }
    List<Answer> answers = body.commitAndHear();
    if (answers.contains(new Answer.NotEnded())) {
      leaveUntil(parts.clock().now(), statusToEnd(), false); // the next pass knows of the cancel
      return;
    }
    if (answers.contains(new Answer.NotEnded(true))) {
      Instant soon = parts.clock().now().plus(HEAR_AGAIN); // the decision itself made it due before
      leaveUntil(soon, statusOf(RunStatus.QUEUED), false);
      return;
    }
    parts
        .endings()
        .tell(pass.number(), new Endings.Result(ended.status(), ended.output(), ended.error()));
    leaveMemory();
  }

  private RunStatus statusToEnd() {
    return pass.isCompensating() ? RunStatus.COMPENSATING : RunStatus.CANCELING;
  }

  /** If the run compensates, the child runs under way are asked to compensate too. */
  private void askCalledToStop(boolean compensate) {
    pass.calls().askToStop(body, stopping.reasonForCalled(), compensate);
  }

  /**
   * A mismatch is not compensated: the wrong code would have to guess what to undo. Nor is a plan
   * that is stale: it undoes nothing either.
   */
  private boolean isToCompensate(RunEntry.Ended ended) {
    Failure error = ended.error();
    boolean isDeclared =
        ended.status() == RunStatus.FAILED
            && flow.onFailure() == Flow.OnFailure.COMPENSATE
            && error != null
            && !error.code().equals(JournalMatch.MISMATCH)
            && !error.code().equals(JournalMatch.PLAN_STALE);
    boolean isFailure = ended.status() == RunStatus.FAILED || ended.status() == RunStatus.CANCELED;
    return !pass.isCompensating() && isFailure && (stopping.isToCompensate() || isDeclared);
  }

  /** Makes everything durable and unloads the run, whose body has nothing to do now. */
  Unwind park(RunStatus wanted, @Nullable Instant dueAt) {
    shut();
    boolean isInReview = pass.open().isAnyInReview(); // it may have been settled meanwhile
    boolean needsPerson = isInReview && wanted == RunStatus.REVIEW;
    // A run that parks before it comes to its review is still in review: a person may decide it
    // while it waits, and the node that takes it up looks for decisions by this status.
    RunStatus status = isInReview ? RunStatus.REVIEW : RunStatus.WAITING;
    // A pass that began as stopped has had its chance; one that was stopped meanwhile looks again.
    Instant due = stopping.isFromTheStart() ? dueAt : Suspension.earlier(dueAt, pass.timeoutAt());
    noteStop();
    if (needsPerson) {
      alert(Alert.REVIEW, pass.open().reviewed(), null, pass.open().stepInReview());
    }
    return leaveUntil(due, statusOf(status), needsPerson);
  }

  /** The first of these that applies is the run's status. */
  private RunStatus statusOf(RunStatus waiting) {
    if (pass.isCompensating()) {
      return RunStatus.COMPENSATING;
    }
    return stopping.isAsked() ? RunStatus.CANCELING : waiting;
  }

  private Unwind leaveUntil(@Nullable Instant due, RunStatus status, boolean needsPerson) {
    body.writer().add(new Change.Release(status, due));
    body.commit();
    pass.keepJournal();
    if (needsPerson) {
      parts.endings().tell(pass.number(), new Endings.Result(RunStatus.REVIEW, null, null));
    } else {
      parts.endings().leave(pass.number());
    }
    if (due != null) {
      parts.timer().noteDue(pass.number(), due);
    }
    leaveMemory();
    return new Unwind();
  }

  /**
   * Called before anything of an exit is written. A decision by a person during the exit would
   * otherwise land behind it, in the journal of the next pass, which would not know of it.
   */
  private void shut() {
    synchronized (pass.open()) { // a parallel writer has handed over its entry, or finds it shut
      fence.close();
    }
  }

  private void leaveMemory() {
    fence.over();
    left.run();
  }

  private void noteStop() {
    stopping.toNote().forEach(body.writer()::add);
  }

  /** Adds the alert to the commit of the event that it reports. */
  private void alert(Alert alert, String occurrence, @Nullable Failure why, @Nullable String step) {
    NewRun message =
        pass.alerts()
            .about(alert, pass.identity(), occurrence, why, flow.runbook(step), parts.ids().next());
    if (message != null) {
      body.writer()
          .add(
              new RunEntry.Alerted(alert, message.key(), message.id().toString()),
              new Change.Spawn(message));
    }
  }

  private void cannotWrite(RuntimeException problem) {
    switch (problem) {
      case RunWriter.Exists _ -> parts.endings().leave(pass.number()); // its start has the answer
      case RunWriter.NoSlot _ -> { // it goes on when it gets a slot, or was never created
        parts.endings().leave(pass.number());
        leaveMemory();
      }
      case RunWriter.Lost _ ->
          log.warn("another writer has changed run {}; this pass wrote nothing more", pass.id());
      case StoreBroken _, StoreClosed _ ->
          log.debug("run {} continues when the store is opened again", pass.id());
      case StoreUnavailable _ -> keepForLater(problem);
      default -> repair(problem);
    }
  }

  /**
   * The store could not answer. The run stays ours and is taken up again. Its progress so far is
   * still written, above all the answers to its effects.
   */
  private void keepForLater(RuntimeException problem) {
    log.warn("run {} will be tried again soon: {}", pass.id(), problem.getMessage());
    try {
      body.commit();
    } catch (Unwind unwind) {
      RuntimeException worse = fence.trouble();
      if (worse != null && !(worse instanceof StoreUnavailable)) {
        cannotWrite(worse);
      }
    }
  }

  /**
   * The database refuses the run's data, and would again: its effect goes into review, or the run
   * fails.
   */
  private void repair(RuntimeException refusal) {
    pass.journal().awaitAll(); // groups that other fibers have handed over may still land
    StoredRun stored = parts.store().load(pass.number());
    if (stored == null || stored.run().owner() == null) {
      return; // a new run, whose start has the answer
    }
    log.error("run {} could not write its state", pass.id(), refusal);
    String message = "the store refused the state of the run: " + refusal.getMessage();
    RunExit again =
        new RunPass(parts, pass.bodies(), flow, new Journals.Loaded(stored, null)).exit();
    again.then(left);
    again.fail(Failure.of("store-refused", message, false));
  }
}
