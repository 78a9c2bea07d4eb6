package dev.hapax.job;

import dev.hapax.engine.Engine;
import dev.hapax.flow.Flow;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobState;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.json.Text;
import dev.hapax.run.JobRecord;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works on jobs, as the body of a flow. A run of this flow is fenced, moves to another node and
 * goes on after a crash like any other. What it has done is in the rows of the job, so a round that
 * is begun again goes on where the last one ended.
 */
public final class JobWork {
  private static final Logger log = LoggerFactory.getLogger(JobWork.class);

  /** The most items of a job. */
  public static final long MOST_ITEMS = 1_000_000;

  /** A round ends after this long, and its end is in the journal. */
  private static final Duration ROUND = Duration.ofSeconds(1);

  /** Bounds the journal of a run; the next run of the job goes on. */
  private static final int ROUNDS = 200;

  private static final int PAGE = 200;
  private static final Duration UNTIL_KIND = Duration.ofMinutes(1);
  private static final Duration AFTER_ERROR = Duration.ofMinutes(1);

  /** How long a job is kept after its creation, if it has ended or was never applied. */
  private static final Duration KEPT = Duration.ofDays(30);

  private static final int REMOVED_AT_ONCE = 1_000;
  private static final int PAGE_OF_OLD = 20;

  /** The most removals before a job begins its work. */
  private static final int REMOVALS = 400;

  private final JobBook book;
  private final JobKinds kinds;

  public JobWork(Engine engine, Store store, JobKinds kinds) {
    this.book = new JobBook(engine, store);
    this.kinds = kinds;
  }

  /**
   * How a round ended.
   *
   * @param isOver whether this run has nothing more to do
   * @param waitMillis until the next round
   */
  record Pace(boolean isOver, long waitMillis) {
    static final Pace OVER = new Pace(true, 0);
    static final Pace AT_ONCE = new Pace(false, 0);

    static Pace after(Duration pause) {
      return new Pace(false, Math.max(0, pause.toMillis()));
    }
  }

  /** The flow whose runs work on jobs. */
  public Flow<JobTurn, Void> flow() {
    return Flow.of(JobTurn.FLOW, JobTurn.class, Void.class).key(JobTurn::key).body(this::work);
  }

  private @Nullable Void work(RunContext run, JobTurn turn) {
    for (int round = 1; round <= ROUNDS; round++) {
      boolean isFirst = round == 1;
      Pace pace = run.step("round-" + round, () -> calm(run.id(), turn, isFirst), Pace.class);
      if (pace.isOver()) {
        return null;
      }
      if (pace.waitMillis() > 0) {
        run.sleep("pause-" + round, Duration.ofMillis(pace.waitMillis()));
      }
    }
    String step = "hand-over";
    for (int tries = 1; !run.step(step, () -> calmHandOver(run.id(), turn), Boolean.class); ) {
      run.sleep("pause-hand-over-" + tries, AFTER_ERROR);
      step = "hand-over-" + ++tries;
    }
    return null;
  }

  /**
   * A round that met an error of the machine is like one that a crash ended: the rows of the job
   * say how far it came, and the next round goes on there. If this run failed instead, nobody would
   * work on the job any more.
   */
  private Pace calm(String run, JobTurn turn, boolean isFirst) {
    try {
      return round(run, turn, isFirst);
    } catch (VirtualMachineError | LinkageError e) {
      log.error("job {} met an error and goes on in {}", turn.job(), AFTER_ERROR, e);
      return Pace.after(AFTER_ERROR);
    }
  }

  private boolean calmHandOver(String run, JobTurn turn) {
    try {
      return handOver(run, turn);
    } catch (VirtualMachineError | LinkageError e) {
      log.error("job {} met an error and goes on in {}", turn.job(), AFTER_ERROR, e);
      return false;
    }
  }

  private boolean handOver(String run, JobTurn turn) {
    while (true) {
      JobRecord job = mine(run, turn);
      if (job == null || book.write(job, job.edit().nextTurn().toRecord(), List.of()) != null) {
        return true;
      }
    }
  }

  private Pace round(String run, JobTurn turn, boolean isFirst) {
    JobRecord job = mine(run, turn);
    if (job == null) {
      return Pace.OVER;
    }
    if (isFirst) {
      removeOld(job.tenant());
    }
    JobKind kind = kinds.find(job.kind());
    if (kind == null) {
      return Pace.after(UNTIL_KIND); // another version of the program knows it
    }
    return job.isSelected() ? new Round(turn, kind).act(job) : select(turn, kind, job);
  }

  /** The job, if this turn may work on it. The run says whose job it is, its input does not. */
  private @Nullable JobRecord mine(String run, JobTurn turn) {
    Run own = book.store().find(RunId.parse(run));
    JobRecord job = own == null ? null : book.reads().find(own.tenant(), turn.job());
    return job != null && isMine(job, turn) ? job : null;
  }

  private static boolean isMine(JobRecord job, JobTurn turn) {
    return job.turn() == turn.turn() && job.state().isAtWork();
  }

  // ---- selection

  private Pace select(JobTurn turn, JobKind kind, JobRecord begun) {
    Instant until = book.now().plus(ROUND);
    JobRecord job = begun;
    while (!job.isSelected()) {
      List<JobItem> items = new ArrayList<>();
      JobRecord after = selected(job, kind, items);
      JobRecord written = book.write(job, after, items);
      job = written != null ? written : book.reads().find(job.tenant(), job.id());
      if (job == null || !isMine(job, turn)) {
        return Pace.OVER;
      }
      if (!book.now().isBefore(until)) {
        return Pace.AT_ONCE;
      }
    }
    return Pace.AT_ONCE;
  }

  /** Returns the job with one more page, which it adds to the items. */
  private JobRecord selected(JobRecord job, JobKind kind, List<JobItem> items) {
    JobKind.Page page;
    try {
      page = kind.select(job.toJob(), job.place(), PAGE);
    } catch (RuntimeException e) {
      NoAnswer.passOn(e);
      return failed(job, Text.messageOf(e));
    }
    long position = job.toJob().items();
    if (position + page.items().size() > MOST_ITEMS) {
      return failed(job, "more than %,d items fit. Narrow the filter".formatted(MOST_ITEMS));
    }
    return JobPage.added(job, page, book.now(), items);
  }

  private JobRecord failed(JobRecord job, String problem) {
    return job.edit()
        .problem(JobPage.storable(problem))
        .ended(JobState.FAILED, book.now())
        .toRecord();
  }

  // ---- acts

  /** One round of acts. Used by one thread. */
  private final class Round {
    private final JobTurn turn;
    private final JobKind kind;
    private final Instant begun = book.now();
    private int acts;

    Round(JobTurn turn, JobKind kind) {
      this.turn = turn;
      this.kind = kind;
    }

    Pace act(JobRecord from) {
      JobRecord job = from;
      while (mayGoOn(job)) {
        List<JobItem> page = book.items(job, JobItemState.DOING, 1);
        boolean isInterrupted = !page.isEmpty();
        if (page.isEmpty()) {
          page = book.items(job, JobItemState.OPEN, Math.min(PAGE, job.rate() - acts));
        }
        if (page.isEmpty()) {
          return end(job);
        }
        JobRecord after = isInterrupted ? job : begin(job, page.getFirst());
        for (int i = 0; after != null && i < page.size(); i++) {
          after = act(after, page, i, isInterrupted);
          if (after != null && !mayGoOn(after)) {
            break;
          }
        }
        if (after == null) {
          return Pace.OVER;
        }
        job = after;
      }
      return Pace.after(Duration.between(book.now(), begun.plus(ROUND)));
    }

    private boolean mayGoOn(JobRecord job) {
      return acts < job.rate() && book.now().isBefore(begun.plus(ROUND));
    }

    private Pace end(JobRecord job) {
      JobRecord ended = job.edit().ended(JobState.DONE, book.now()).toRecord();
      return book.write(job, ended, List.of()) == null ? Pace.AT_ONCE : Pace.OVER;
    }

    /** Notes that the item is being acted on; null if the job is no longer ours. */
    private @Nullable JobRecord begin(JobRecord job, JobItem item) {
      JobRecord written = book.write(job, job, List.of(item.doing()));
      JobRecord now = written != null ? written : book.reads().find(job.tenant(), job.id());
      return now != null && isMine(now, turn) ? now : null;
    }

    /** Acts on an item of the page, and returns the job afterwards; null if it is not ours. */
    private @Nullable JobRecord act(
        JobRecord job, List<JobItem> page, int index, boolean isInterrupted) {
      JobItem item = page.get(index);
      JobKind.Outcome outcome = outcome(job, item);
      acts++;
      String problem = outcome.problem();
      if (isInterrupted && outcome.state() == JobItemState.SKIPPED) {
        problem = problem + " (the job was interrupted here, and may have done it before)";
      }
      JobItem result =
          item.ended(
              outcome.state(),
              problem == null ? null : JobPage.storable(problem),
              outcome.detail(),
              book.now());
      JobItem next = index + 1 < page.size() && mayGoOn(job) ? page.get(index + 1) : null;
      return record(job, result, next);
    }

    private JobKind.Outcome outcome(JobRecord job, JobItem item) {
      try {
        return kind.act(job.toJob(), item);
      } catch (StoreFull e) {
        throw new StoreUnavailable("the store is full; the item is tried again", e);
      } catch (NotPossible | NotFound e) {
        return JobKind.Outcome.skipped(Text.messageOf(e));
      } catch (RuntimeException e) {
        NoAnswer.passOn(e);
        return JobKind.Outcome.failed(Text.messageOf(e));
      }
    }

    /**
     * Records a result, also if the job was paused or canceled meanwhile: the act has happened. Two
     * turns may have met at this item; then the first result stays.
     */
    private @Nullable JobRecord record(JobRecord seen, JobItem result, @Nullable JobItem next) {
      JobRecord job = seen;
      while (true) {
        List<JobItem> items = new ArrayList<>(List.of(result));
        boolean isOurs = isMine(job, turn);
        if (isOurs && next != null) {
          items.add(next.doing());
        }
        JobRecord written = book.write(job, job.edit().count(result.state()).toRecord(), items);
        if (written != null) {
          return isOurs ? written : null;
        }
        job = book.reads().find(job.tenant(), job.id());
        JobItem present = job == null ? null : book.item(job, result.position());
        if (job == null || present == null) {
          return null;
        }
        if (present.state().isEnd()) {
          return isMine(job, turn) ? job : null;
        }
      }
    }
  }

  // ---- retention

  /**
   * Makes room by the way: jobs are rare, and so are those that are old. Those that are paused
   * stay, and hide no others.
   */
  private void removeOld(String tenant) {
    long before = IdSource.firstAt(book.now().minus(KEPT));
    int removals = 0;
    List<JobRecord> page = book.reads().list(tenant, before, PAGE_OF_OLD);
    while (!page.isEmpty()) {
      for (JobRecord job : page) {
        while (isOver(job) && book.reads().find(tenant, job.id()) != null) {
          if (++removals > REMOVALS) {
            return;
          }
          book.remove(job, REMOVED_AT_ONCE);
        }
      }
      page = book.reads().list(tenant, page.getLast().number(), PAGE_OF_OLD);
    }
  }

  private static boolean isOver(JobRecord job) {
    return job.state().isEnd() || job.state() == JobState.PLANNED;
  }
}
