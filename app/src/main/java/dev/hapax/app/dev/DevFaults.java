package dev.hapax.app.dev;

import dev.hapax.time.Threads;
import dev.hapax.trial.sandbox.AnswerBook;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.SandboxAnswer;
import dev.hapax.trial.sandbox.SandboxFault;
import dev.hapax.trial.sandbox.SandboxRequest;
import dev.hapax.trial.sandbox.SendWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The faults that a developer has asked for, in order. Each meets the next requests of effects that
 * it is about; lookups and reads are left alone, because they settle what the fault did. Safe for
 * many threads.
 */
public final class DevFaults implements AnswerBook, SendWatch {
  private final Threads threads;
  private final DevScreen screen;
  private final AnswerBook book;
  private final ConcurrentMap<Integer, Duration> delays = new ConcurrentHashMap<>();
  private final List<DevFault> waiting = new ArrayList<>(); // guarded by itself

  /**
   * No faults yet.
   *
   * @param book gives the answers that the faults happen to
   */
  public DevFaults(Threads threads, DevScreen screen, AnswerBook book) {
    this.threads = threads;
    this.book = book;
    this.screen = screen;
  }

  void add(DevFault fault) {
    synchronized (waiting) {
      waiting.add(fault);
    }
  }

  List<DevFault> waiting() {
    synchronized (waiting) {
      return List.copyOf(waiting);
    }
  }

  /** Returns how many there were. */
  int clear() {
    synchronized (waiting) {
      int count = waiting.size();
      waiting.clear();
      return count;
    }
  }

  @Override
  public SandboxAnswer answerTo(SandboxRequest request) {
    DevFault fault = request.from().isEffect() ? take(request) : null;
    if (fault == null) {
      return book.answerTo(request);
    }
    screen.say(
        "%s %s: %s (%s)"
            .formatted(request.from().step(), request.from().key(), said(fault), fault.target()));
    return switch (fault.kind()) {
      case LOSE -> book.answerTo(request).fault(SandboxFault.APPLIED_THEN_LOST);
      case DROP -> SandboxAnswer.USUAL.fault(SandboxFault.LOST);
      case DOUBLE -> book.answerTo(request).fault(SandboxFault.DUPLICATE);
      case FAIL -> SandboxAnswer.USUAL.status(status(fault)).applied(false);
      case DELAY -> {
        delays.put(request.number(), fault.delayed());
        yield book.answerTo(request);
      }
    };
  }

  /** Its sender may have given up when it arrives. Other requests are not held up. */
  @Override
  public void before(SandboxRequest request) {
    Duration delay = delays.remove(request.number());
    if (delay != null) {
      threads.signal().await(delay);
    }
  }

  @Override
  public void after(SandboxRequest request) {}

  private static int status(DevFault fault) {
    Integer status = fault.status();
    return status == null ? 500 : status;
  }

  private static String said(DevFault fault) {
    return switch (fault.kind()) {
      case LOSE -> "done, and its answer is lost";
      case DROP -> "lost before it arrives";
      case DOUBLE -> "arrives twice";
      case FAIL -> "answered with " + status(fault);
      case DELAY -> "delayed by " + fault.delay();
    };
  }

  private @Nullable DevFault take(SandboxRequest request) {
    synchronized (waiting) {
      for (int i = 0; i < waiting.size(); i++) {
        DevFault fault = waiting.get(i);
        if (isAbout(fault.target(), request)) {
          DevFault rest = fault.onceLess();
          if (rest == null) {
            waiting.remove(i);
          } else {
            waiting.set(i, rest);
          }
          return fault;
        }
      }
      return null;
    }
  }

  private static boolean isAbout(String target, SandboxRequest request) {
    RequestOrigin from = request.from();
    return target.equals(from.step())
        || target.equals(from.flow() + "/" + from.step())
        || target.equals(from.effect())
        || target.equals(request.connection());
  }
}
