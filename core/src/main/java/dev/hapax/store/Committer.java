package dev.hapax.store;

import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.WaitingCaller;
import dev.hapax.time.Clock;
import dev.hapax.time.ProcessGone;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts everything that is ready, from all runs, into one transaction: while one batch commits, the
 * next one gathers. One per process, on its own thread; the only caller of {@link Store#commit}. A
 * group that waits for another transaction's lock does not delay the batches of the others.
 */
public final class Committer {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final int LARGEST_BATCH = 1024;
  private static final Duration PAUSE_WHEN_FULL = Duration.ofSeconds(1);
  private static final Duration PAUSE_WHEN_UNKNOWN = Duration.ofMillis(100);

  /** Used while some groups wait on the side: new ones may need the same locks. */
  private static final Duration SHORT_PATIENCE = Duration.ofMillis(5);

  /** For the last try of the groups on the side, before the store is closed. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

  private final Store store;
  private final Threads threads;
  private final Listener listener;
  private final WakeUps wakeUps;
  private final StoreSpace space;
  private final SideLine side;
  private final Deque<Ticket> ready = new ArrayDeque<>();
  private final ConcurrentLinkedQueue<Ticket> queue = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Errand<?>> errands = new ConcurrentLinkedQueue<>();
  private final Signal closing;
  private final Signal stopped;
  private volatile @Nullable Signal idle;
  private volatile @Nullable RuntimeException broken;

  public Committer(Store store, Threads threads, Clock clock, Listener listener) {
    this.store = store;
    this.threads = threads;
    this.listener = listener;
    this.wakeUps = new WakeUps(listener);
    this.space = new StoreSpace(clock);
    this.side = new SideLine(clock);
    this.closing = threads.signal();
    this.stopped = threads.signal();
    threads.platform("hapax-committer", this::loop);
  }

  /** Learns the consequences of commits; called on the committer's thread, so it must not block. */
  public interface Listener {
    void woken(List<Long> runs);

    /** These runs were asked to cancel, because a newer one has reached their flow's gate. */
    void displaced(List<Long> runs);

    /**
     * A batch was submitted again; groups that had landed the first time do not report again which
     * runs they woke.
     */
    void wakeUpsMayBeMissing();

    void broken(RuntimeException cause);
  }

  /** Gets the answer to one group, before the threads that await its ticket; must not block. */
  public interface Answered {
    void answered(GroupAnswer answer);

    void failed(RuntimeException why);
  }

  private static final Answered NOBODY =
      new Answered() {
        @Override
        public void answered(GroupAnswer answer) {}

        @Override
        public void failed(RuntimeException why) {}
      };

  /** A group on its way to the disk. */
  public final class Ticket {
    private final Group group;
    private final Answered whenAnswered;
    private final boolean isFromOutside;
    private final Signal answered = threads.signal();
    private volatile @Nullable GroupAnswer answer;

    /**
     * Whether a commit with it had an unknown outcome. It may since wait for a lock, and be tried
     * again in another batch. Used by the committer's thread alone.
     */
    private boolean mayHaveLanded;

    private Ticket(Group group, Answered whenAnswered, boolean isFromOutside) {
      this.group = group;
      this.whenAnswered = whenAnswered;
      this.isFromOutside = isFromOutside;
    }

    Group group() {
      return group;
    }

    boolean mayHaveLanded() {
      return mayHaveLanded;
    }

    /** Whether its submitter can ask again, and should not wait for space. */
    boolean isFromOutside() {
      return isFromOutside;
    }

    /** Waits until the group is durable or refused. */
    public GroupAnswer await() {
      answered.await();
      GroupAnswer given = answer;
      if (given == null) {
        throw unusable();
      }
      return given;
    }

    /** Ends the wait for it; null if the store can no longer be used. */
    void answer(@Nullable GroupAnswer given) {
      if (answered.isRaised()) {
        return; // the first answer stays
      }
      answer = given;
      if (given == null) {
        whenAnswered.failed(unusable());
      } else {
        whenAnswered.answered(given);
      }
      answered.raise();
    }
  }

  /**
   * Hands a group over; groups of one run land in the order in which they were submitted. Never
   * blocks.
   */
  public Ticket submit(Group group) {
    return submit(group, NOBODY);
  }

  /** As above, for a group that another caller than the submitter waits for. */
  public Ticket submit(Group group, Answered whenAnswered) {
    return submit(new Ticket(group, whenAnswered, StoreSpace.asksForMore(group)));
  }

  /**
   * Commits a group, and waits until it is durable or refused. A full store refuses it if a caller
   * outside waits for this thread; otherwise it waits for space. An operation of several commits
   * uses it for the first one: what was accepted must not be refused later.
   *
   * @throws StoreFull nothing of it was written or ever will be
   */
  public GroupAnswer commit(Group group) {
    boolean isFromOutside = WaitingCaller.isThere() || StoreSpace.asksForMore(group);
    if (isFromOutside && isFull()) {
      throw refusing();
    }
    GroupAnswer answer = submit(new Ticket(group, NOBODY, isFromOutside)).await();
    if (answer instanceof GroupAnswer.NoSpace) {
      throw refusing();
    }
    return answer;
  }

  private static StoreFull refusing() {
    return new StoreFull(
        "the store is full: nothing was written. Make space, then try again", null);
  }

  private Ticket submit(Ticket ticket) {
    queue.add(ticket);
    Signal sleeping = idle;
    if (sleeping != null) {
      sleeping.raise();
    }
    if (stopped.isRaised()) {
      refuseQueued(); // the loop is gone and would never see it
    }
    return ticket;
  }

  /**
   * Asks the store something else between two batches, and repeats it until the outcome is known.
   * Waits for the answer.
   *
   * @param question learns whether it was asked before, without an answer
   */
  public <T> T between(Question<T> question) {
    var errand = new Errand<>(question, threads.signal());
    errands.add(errand);
    Signal sleeping = idle;
    if (sleeping != null) {
      sleeping.raise();
    }
    if (stopped.isRaised()) {
      refuseQueued();
    }
    T answer = errand.await();
    if (answer == null) {
      throw unusable();
    }
    return answer;
  }

  /** A question to the store between two batches. */
  @FunctionalInterface
  public interface Question<T> {
    T ask(boolean isAgain);
  }

  private void askUntilKnown(Errand<?> errand) {
    for (boolean isAgain = false; ; isAgain = true) {
      try {
        errand.ask(isAgain);
        return;
      } catch (UnknownCommit e) {
        log.warn("the store did not answer; the committer asks again", e);
        pause(PAUSE_WHEN_UNKNOWN, e);
      } catch (StoreFull e) {
        space.ranOut();
        withdrawQueued();
        pause(PAUSE_WHEN_FULL, e);
      }
    }
  }

  /**
   * True while the disk is full: accepted groups wait, and new starts should be refused. After a
   * while without a try it is false, so that a start can try.
   */
  public boolean isFull() {
    return space.isMissing();
  }

  /** Commits everything that was submitted before, then stops. */
  public void close() {
    closing.raise();
    Signal sleeping = idle;
    if (sleeping != null) {
      sleeping.raise();
    }
    stopped.await();
  }

  private void loop() {
    try {
      while (broken == null) {
        runErrands();
        SideLine.Probe probe = side.probe();
        if (probe != null) {
          probe(probe);
        }
        List<Ticket> tickets = gather();
        if (!tickets.isEmpty()) {
          commit(tickets, side.isEmpty() ? Batch.USUAL_PATIENCE : SHORT_PATIENCE);
        } else if (closing.isRaised()) {
          commit(side.leave(), LAST_PATIENCE);
          return;
        } else {
          sleep();
        }
      }
    } catch (ProcessGone e) {
      throw e;
    } catch (RuntimeException | Error e) {
      fail(e);
    } finally {
      stopped.raise();
      side.leave().forEach(ticket -> ticket.answer(null));
      ready.forEach(ticket -> ticket.answer(null));
      refuseQueued();
    }
  }

  private void runErrands() {
    for (Errand<?> errand; broken == null && (errand = errands.poll()) != null; ) {
      try {
        askUntilKnown(errand);
      } catch (RuntimeException | Error e) {
        fail(e);
      } finally {
        errand.end();
      }
    }
  }

  private List<Ticket> gather() {
    var tickets = new ArrayList<Ticket>();
    for (Ticket next; tickets.size() < LARGEST_BATCH && (next = next()) != null; ) {
      if (!side.takes(next)) {
        tickets.add(next);
      }
    }
    return tickets;
  }

  private @Nullable Ticket next() {
    Ticket first = ready.poll();
    return first != null ? first : queue.poll();
  }

  private void sleep() {
    Signal signal = threads.signal();
    idle = signal;
    if (queue.isEmpty() && errands.isEmpty() && !closing.isRaised()) {
      if (side.isEmpty()) {
        signal.await();
      } else {
        signal.await(side.rest());
      }
    }
    idle = null;
  }

  private void commit(List<Ticket> gathered, Duration patience) {
    List<Ticket> tickets = new ArrayList<>(gathered);
    try {
      List<GroupAnswer> answers = commitUntilKnown(tickets, patience);
      for (int i = 0; i < answers.size(); i++) {
        answer(tickets.get(i), answers.get(i));
      }
      wakeUps.report(answers);
    } catch (RuntimeException | Error e) {
      fail(e);
      tickets.forEach(ticket -> ticket.answer(null));
    }
  }

  private void answer(Ticket ticket, GroupAnswer answer) {
    if (!(answer instanceof GroupAnswer.Blocked(var obstacle))) {
      ticket.answer(answer);
    } else if (closing.isRaised()) {
      ticket.answer(null); // no group waits for a lock any more
    } else {
      side.blocked(ticket, obstacle);
    }
  }

  /** Tries some of the groups on the side, in their own transaction. */
  private void probe(SideLine.Probe probe) {
    List<Ticket> tickets = new ArrayList<>(probe.first().values());
    try {
      List<GroupAnswer> answers = commitUntilKnown(tickets, probe.patience());
      for (var tried : probe.first().entrySet()) {
        int place = tickets.indexOf(tried.getValue());
        GroupAnswer answer = place < 0 ? null : answers.get(place); // null: was withdrawn
        if (answer instanceof GroupAnswer.Blocked(var obstacle)
            && obstacle.equals(tried.getKey())) {
          side.stillBlocked(obstacle);
          continue;
        }
        ready.addAll(side.isFree(tried.getKey()));
        if (answer != null) {
          answer(tried.getValue(), answer);
        }
      }
      wakeUps.report(answers);
    } catch (RuntimeException | Error e) {
      fail(e);
      // They are still on the side, where all get their answer.
    }
  }

  /**
   * Submits the same batch until its outcome is known, and never a changed one: a group that has
   * landed is recognised by its operation's id. Only if certainly nothing has landed, because the
   * store is full, groups that are not essential leave the batch. Between two tries the store is
   * asked what cannot wait.
   *
   * @param tickets without those that were withdrawn when it returns
   */
  private List<GroupAnswer> commitUntilKnown(List<Ticket> tickets, Duration patience) {
    for (boolean again = false; !tickets.isEmpty(); again = true) {
      var batch = new Batch(tickets.stream().map(Ticket::group).toList(), patience);
      try {
        List<GroupAnswer> answers = store.commit(batch);
        if (again) {
          listener.wakeUpsMayBeMissing();
        }
        if (space.isBack()) {
          log.info(
              "the store has space again: {} waiting groups are durable, starts are accepted",
              answers.size());
        }
        return answers;
      } catch (UnknownCommit e) {
        tickets.forEach(ticket -> ticket.mayHaveLanded = true);
        log.warn(
            "a commit's outcome is unknown; the committer submits the same batch of {} groups again",
            tickets.size(),
            e);
        pause(PAUSE_WHEN_UNKNOWN, e);
      } catch (StoreFull e) {
        boolean isNews = space.ranOut(); // before the refused callers get their answer
        StoreSpace.withdraw(tickets);
        withdrawQueued();
        if (isNews) {
          log.error(
              "the store is full: starts are refused and {} groups wait until there is space",
              tickets.size(),
              e);
        }
        if (!tickets.isEmpty()) {
          pause(PAUSE_WHEN_FULL, e);
        }
      }
      runErrands();
      RuntimeException meanwhile = broken;
      if (meanwhile != null) {
        throw meanwhile;
      }
    }
    return List.of();
  }

  /** New groups that arrived meanwhile do not wait for space either, behind those that must. */
  private void withdrawQueued() {
    List<Ticket> queued = new ArrayList<>();
    for (Ticket next; (next = queue.poll()) != null; ) {
      queued.add(next);
    }
    StoreSpace.withdraw(queued);
    ready.addAll(queued);
  }

  /**
   * A close cannot wait for free space on the disk; groups that are not durable were not
   * acknowledged either.
   */
  private void pause(Duration pause, RuntimeException cause) {
    if (closing.await(pause)) {
      throw cause;
    }
  }

  private void fail(Throwable cause) {
    if (broken != null) {
      return; // the first cause has been reported already
    }
    var reason =
        cause instanceof StoreBroken known
            ? known
            : new StoreBroken("a commit failed: " + cause, cause);
    broken = reason;
    log.error(
        "the store can no longer be used; the engine stops. Open the store again to continue.",
        cause);
    listener.broken(reason);
  }

  /** Submitters call it too. Only the loop uses the groups on the side, and answers them. */
  private void refuseQueued() {
    for (Ticket next; (next = queue.poll()) != null; ) {
      next.answer(null);
    }
    for (Errand<?> next; (next = errands.poll()) != null; ) {
      next.end();
    }
  }

  private RuntimeException unusable() {
    RuntimeException cause = broken;
    return cause != null
        ? new StoreBroken(
            "not durable: the store broke before this could be committed: " + cause.getMessage(),
            cause)
        : new StoreClosed();
  }
}
