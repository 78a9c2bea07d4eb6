package dev.hapax.store;

import dev.hapax.run.Answer;
import dev.hapax.time.Clock;
import dev.hapax.time.ProcessGone;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts everything that is ready, from all runs, into one transaction: while one batch commits, the
 * next one gathers. One per process, on a thread of its own; the only caller of {@link
 * Store#commit}. A group that waits for somebody else's lock waits beside the batches of the
 * others.
 */
public final class Committer {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final int LARGEST_BATCH = 1024;
  private static final Duration PAUSE_WHEN_FULL = Duration.ofSeconds(1);
  private static final Duration PAUSE_WHEN_UNKNOWN = Duration.ofMillis(100);

  /** After this long without a try somebody has to try whether there is space again. */
  private static final Duration FULL_FOR = Duration.ofSeconds(2);

  /** While some groups wait on the side: new ones may need the same locks. */
  private static final Duration SHORT_PATIENCE = Duration.ofMillis(5);

  /** Of the last try of those on the side, before the store is closed. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

  private final Store store;
  private final Threads threads;
  private final Clock clock;
  private final Listener listener;
  private final SideLine side;
  private final Deque<Ticket> ready = new ArrayDeque<>();
  private final ConcurrentLinkedQueue<Ticket> queue = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Errand<?>> errands = new ConcurrentLinkedQueue<>();
  private final Signal closing;
  private final Signal stopped;
  private volatile @Nullable Signal idle;
  private volatile @Nullable RuntimeException broken;
  private volatile boolean full;
  private volatile long fullSince;

  public Committer(Store store, Threads threads, Clock clock, Listener listener) {
    this.store = store;
    this.threads = threads;
    this.clock = clock;
    this.listener = listener;
    this.side = new SideLine(clock);
    this.closing = threads.signal();
    this.stopped = threads.signal();
    threads.platform("hapax-committer", this::loop);
  }

  /** Hears what commits brought about; called on the committer's thread, so it must not block. */
  public interface Listener {
    void woken(List<Long> runs);

    /** These runs were asked to cancel, because a newer one has come to their flow's gate. */
    void displaced(List<Long> runs);

    /**
     * A batch was submitted again, and what had landed the first time does not tell again whom it
     * woke.
     */
    void wakeUpsMayBeMissing();

    void broken(RuntimeException cause);
  }

  /** Hears what became of one group, before whoever awaits its ticket; must not block. */
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
    private final Signal answered = threads.signal();
    private volatile @Nullable GroupAnswer answer;

    /**
     * Whether a commit with it had an unknown outcome. It may wait for a lock since, and be tried
     * again in another batch. Used by the committer's thread alone.
     */
    private boolean mayHaveLanded;

    private Ticket(Group group, Answered whenAnswered) {
      this.group = group;
      this.whenAnswered = whenAnswered;
    }

    Group group() {
      return group;
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

    private void answer(@Nullable GroupAnswer given) {
      if (answered.isRaised()) {
        return; // what was told stays, whatever happens afterwards
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

  /** As above, for what somebody else than the submitter waits for. */
  public Ticket submit(Group group, Answered whenAnswered) {
    var ticket = new Ticket(group, whenAnswered);
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
   * Asks the store something else between two batches, and again until the outcome is known. Waits
   * for the answer.
   *
   * @param question hears whether it was asked before, without an answer
   */
  public <T> T between(Question<T> question) {
    var errand = new Errand<>(question);
    errands.add(errand);
    Signal sleeping = idle;
    if (sleeping != null) {
      sleeping.raise();
    }
    if (stopped.isRaised()) {
      refuseQueued();
    }
    return errand.await();
  }

  /** What is asked of the store between two batches. */
  @FunctionalInterface
  public interface Question<T> {
    T ask(boolean isAgain);
  }

  private final class Errand<T> {
    private final Question<T> question;
    private final Signal answered = threads.signal();
    private @Nullable T answer;

    private Errand(Question<T> question) {
      this.question = question;
    }

    private void run() {
      try {
        answer = askUntilKnown(question);
      } catch (RuntimeException | Error e) {
        fail(e);
      } finally {
        answered.raise();
      }
    }

    private T await() {
      answered.await();
      T given = answer;
      if (given == null) {
        throw unusable();
      }
      return given;
    }
  }

  private <T> T askUntilKnown(Question<T> question) {
    for (boolean isAgain = false; ; isAgain = true) {
      try {
        return question.ask(isAgain);
      } catch (UnknownCommit e) {
        log.warn("the store did not answer, it is asked again", e);
        pause(PAUSE_WHEN_UNKNOWN, e);
      } catch (StoreFull e) {
        pause(PAUSE_WHEN_FULL, e);
      }
    }
  }

  /**
   * True while the disk is full: what was accepted waits, new starts should be refused. After a
   * while without a try it is false, so that a start can find out.
   */
  public boolean isFull() {
    return full && clock.nanos() - fullSince < FULL_FOR.toNanos();
  }

  /** Commits what was submitted before, then stops. */
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
      errand.run();
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
      tellWoken(answers);
    } catch (RuntimeException | Error e) {
      fail(e);
      tickets.forEach(ticket -> ticket.answer(null));
    }
  }

  private void answer(Ticket ticket, GroupAnswer answer) {
    if (!(answer instanceof GroupAnswer.Blocked(var obstacle))) {
      ticket.answer(answer);
    } else if (closing.isRaised()) {
      ticket.answer(null); // nobody waits for a lock any more
    } else {
      side.blocked(ticket, obstacle);
    }
  }

  /** Tries some of those on the side, in a transaction of their own. */
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
      tellWoken(answers);
    } catch (RuntimeException | Error e) {
      fail(e);
      // They are still on the side, where all are told.
    }
  }

  /**
   * The same batch again and again, never a changed one: what has landed recognises itself by its
   * operation's id. Only if it is certain that nothing has landed, because the store is full, what
   * can be done without leaves it. Between two tries the store is asked what cannot wait.
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
        if (full) {
          full = false;
          log.info(
              "the store has space again: {} waiting groups are durable, starts are accepted",
              answers.size());
        }
        return answers;
      } catch (UnknownCommit e) {
        tickets.forEach(ticket -> ticket.mayHaveLanded = true);
        log.warn(
            "a commit's outcome is unknown, the same batch of {} groups is submitted again",
            tickets.size(),
            e);
        pause(PAUSE_WHEN_UNKNOWN, e);
      } catch (StoreFull e) {
        fullSince = clock.nanos();
        boolean isNews = !full;
        full = true; // before those hear it who are refused
        withdraw(tickets);
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

  /**
   * The store has not taken these groups now. New runs that have surely not landed before either
   * leave the batch for good, so that who starts them hears at once that they are not accepted;
   * what runs that were accepted write stays.
   */
  private static void withdraw(List<Ticket> tickets) {
    Set<Long> runs = new HashSet<>();
    for (Ticket ticket : List.copyOf(tickets)) {
      Group group = ticket.group();
      Long run = group.run();
      boolean isNotAccepted = isFromOutside(group) && !ticket.mayHaveLanded;
      if (isNotAccepted || (run != null && runs.contains(run))) {
        if (run != null) {
          runs.add(run);
        }
        tickets.remove(ticket);
        ticket.answer(new GroupAnswer.NoSpace());
      }
    }
  }

  /** Nor do those wait for space that came meanwhile, behind what has to. */
  private void withdrawQueued() {
    List<Ticket> queued = new ArrayList<>();
    for (Ticket next; (next = queue.poll()) != null; ) {
      queued.add(next);
    }
    withdraw(queued);
    ready.addAll(queued);
  }

  /** Whether somebody waits for it who can come again. */
  private static boolean isFromOutside(Group group) {
    return group.head() instanceof Head.Insert
        || group.changes().stream().anyMatch(Change.Receive.class::isInstance);
  }

  /**
   * Whoever closes cannot wait for a disk to get space: what is not durable was not acknowledged
   * either.
   */
  private void pause(Duration pause, RuntimeException cause) {
    if (closing.await(pause)) {
      throw cause;
    }
  }

  private void tellWoken(List<GroupAnswer> answers) {
    for (GroupAnswer answer : answers) {
      switch (answer) {
        case GroupAnswer.Landed(var heard, var woken) -> {
          tellWoken(woken, heard.isEmpty() ? null : heard.getLast());
        }
        case GroupAnswer.Queued(var queued, var woken) -> tellWoken(woken, queued);
        default -> {}
      }
    }
  }

  private void tellWoken(List<Long> woken, @Nullable Answer last) {
    if (!woken.isEmpty()) {
      listener.woken(woken);
    }
    if (last instanceof Answer.Queued(var _, var displaced) && !displaced.isEmpty()) {
      listener.displaced(displaced);
    }
  }

  private void fail(Throwable cause) {
    if (broken != null) {
      return; // what broke it first is told already
    }
    var reason =
        cause instanceof StoreBroken known
            ? known
            : new StoreBroken("a commit failed: " + cause, cause);
    broken = reason;
    log.error(
        "the store cannot be used any more; the engine stops. Open it again to go on.", cause);
    listener.broken(reason);
  }

  /** Called by whoever submits, too; what is on the side is the loop's alone, and told there. */
  private void refuseQueued() {
    for (Ticket next; (next = queue.poll()) != null; ) {
      next.answer(null);
    }
    for (Errand<?> next; (next = errands.poll()) != null; ) {
      next.answered.raise();
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
