package dev.hapax.store;

import dev.hapax.run.Answer;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts everything that is ready, from all runs, into one transaction: while one batch commits, the
 * next one gathers. One per process, on a thread of its own; the only caller of {@link
 * Store#commit}.
 */
public final class Committer {
  private static final Logger log = LoggerFactory.getLogger(Committer.class);
  private static final int LARGEST_BATCH = 1024;
  private static final Duration PAUSE_WHEN_FULL = Duration.ofSeconds(1);
  private static final Duration PAUSE_WHEN_UNKNOWN = Duration.ofMillis(100);

  private final Store store;
  private final Threads threads;
  private final Listener listener;
  private final ConcurrentLinkedQueue<Ticket> queue = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Errand<?>> errands = new ConcurrentLinkedQueue<>();
  private final Signal closing;
  private final Signal stopped;
  private volatile @Nullable Signal idle;
  private volatile @Nullable RuntimeException broken;
  private volatile boolean full;

  public Committer(Store store, Threads threads, Listener listener) {
    this.store = store;
    this.threads = threads;
    this.listener = listener;
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

    private Ticket(Group group, Answered whenAnswered) {
      this.group = group;
      this.whenAnswered = whenAnswered;
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

  /** True while the disk is full: what was accepted waits, new starts should be refused. */
  public boolean isFull() {
    return full;
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
        Errand<?> errand = errands.poll();
        if (errand != null) {
          errand.run();
          continue;
        }
        List<Ticket> tickets = gather();
        if (!tickets.isEmpty()) {
          commit(tickets);
        } else if (closing.isRaised()) {
          return;
        } else {
          sleep();
        }
      }
    } finally {
      stopped.raise();
      refuseQueued();
    }
  }

  private List<Ticket> gather() {
    var tickets = new ArrayList<Ticket>();
    for (Ticket next; tickets.size() < LARGEST_BATCH && (next = queue.poll()) != null; ) {
      tickets.add(next);
    }
    return tickets;
  }

  private void sleep() {
    Signal signal = threads.signal();
    idle = signal;
    if (queue.isEmpty() && errands.isEmpty() && !closing.isRaised()) {
      signal.await();
    }
    idle = null;
  }

  private void commit(List<Ticket> tickets) {
    var batch = new Batch(tickets.stream().map(ticket -> ticket.group).toList());
    try {
      List<GroupAnswer> answers = commitUntilKnown(batch);
      for (int i = 0; i < answers.size(); i++) {
        tickets.get(i).answer(answers.get(i));
      }
      tellWoken(answers);
    } catch (RuntimeException | Error e) {
      fail(e);
      tickets.forEach(ticket -> ticket.answer(null));
    }
  }

  /**
   * The same batch again and again, never a changed one: what has landed recognises itself by its
   * operation's id.
   */
  private List<GroupAnswer> commitUntilKnown(Batch batch) {
    for (boolean again = false; ; again = true) {
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
        log.warn(
            "a commit's outcome is unknown, the same batch of {} groups is submitted again",
            batch.groups().size(),
            e);
        pause(PAUSE_WHEN_UNKNOWN, e);
      } catch (StoreFull e) {
        if (!full) {
          full = true;
          log.error(
              "the store is full: starts are refused and {} groups wait until there is space",
              batch.groups().size(),
              e);
        }
        pause(PAUSE_WHEN_FULL, e);
      }
    }
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
    var reason =
        cause instanceof StoreBroken known
            ? known
            : new StoreBroken("a commit failed: " + cause, cause);
    broken = reason;
    log.error(
        "the store cannot be used any more; the engine stops. Open it again to go on.", cause);
    listener.broken(reason);
  }

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
