package dev.hapax.app.observe;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Writes a line to the log for every run that failed or waits for a person to settle something.
 * Runs are read by a thread of its own, so that no commit waits for it; if more fail than it can
 * read, it writes how many lines are missing. Safe for many threads.
 */
public final class TroubleLog implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(TroubleLog.class);
  private static final Set<RunStatus> TROUBLE =
      EnumSet.of(RunStatus.FAILED, RunStatus.PARTIAL, RunStatus.REVIEW);
  private static final int MOST = 10_000;
  private static final int LONGEST_MESSAGE = 500;

  private final LongFunction<@Nullable Run> store;
  private final BiConsumer<String, RunStatus> counter;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Deque<Trouble> waiting = new ArrayDeque<>();
  private long missing;
  private boolean closed;

  private record Trouble(long run, RunStatus status) {}

  /**
   * A log of all tenants' runs.
   *
   * @param store reads a run by its number; null if there is none
   * @param counter gets the flow and the status of each
   */
  public TroubleLog(LongFunction<@Nullable Run> store, BiConsumer<String, RunStatus> counter) {
    this.store = store;
    this.counter = counter;
  }

  /** Notes the runs of a commit. */
  public void committed(Batch batch, List<GroupAnswer> answers) {
    RunChange.in(
        batch,
        answers,
        change -> {
          RunStatus status = change.status();
          if (status != null && TROUBLE.contains(status)) {
            add(new Trouble(change.number(), status));
          }
        });
  }

  private void add(Trouble trouble) {
    lock.lock();
    try {
      if (waiting.size() < MOST) {
        waiting.addLast(trouble);
      } else {
        missing++;
      }
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Writes until it is closed, and then the lines that are left. */
  @Override
  public void run() {
    for (Trouble next; (next = take()) != null; ) {
      write(next);
    }
  }

  private @Nullable Trouble take() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        more.awaitUninterruptibly();
      }
      if (waiting.isEmpty() && missing > 0) {
        log.warn("{} more runs failed or are in review than this log could follow", missing);
        missing = 0;
      }
      return waiting.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  private void write(Trouble trouble) {
    Run run;
    try {
      run = store.apply(trouble.run());
    } catch (RuntimeException e) {
      log.warn("a run is {}, and the store cannot be asked which one", trouble.status().word(), e);
      return;
    }
    if (run == null) {
      return; // it is deleted already
    }
    counter.accept(run.flow(), trouble.status());
    Failure error = run.error();
    Map<String, String> names = new HashMap<>();
    names.put("run", run.id().toString());
    names.put("flow", run.flow());
    names.put("key", RunLogs.oneLine(run.key()));
    names.put("tenant", run.tenant());
    names.put("status", trouble.status().word());
    if (error != null) {
      names.put("code", error.code());
      String step = error.step();
      if (step != null) {
        names.put("step", step);
      }
    }
    MDC.setContextMap(names);
    try {
      log.warn("{}", text(run, trouble.status(), error));
    } finally {
      MDC.clear();
    }
  }

  private static String text(Run run, RunStatus status, @Nullable Failure error) {
    String what =
        status == RunStatus.REVIEW
            ? "run %s waits for a person: see 'hapax explain %1$s'".formatted(run.id())
            : "run %s ended as %s".formatted(run.id(), status.word());
    if (error == null) {
      return what;
    }
    String message = Objects.requireNonNullElse(error.message(), "");
    return "%s: %s: %s"
        .formatted(
            what,
            error.code(),
            message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE) + "…");
  }

  /** Lets it end when all lines are written. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
