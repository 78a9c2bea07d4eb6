package dev.hapax.effect;

import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One call of outside code on a thread of its own. It is over when the code has returned, not at
 * its timeout: until then it may still arrive.
 */
final class Attempt {
  private final Signal returned;
  private final Clock clock;
  private final Threads.Handle thread;
  private volatile @Nullable AnswerMeaning answer;
  private volatile long overAt;

  Attempt(String name, Call call, Threads threads, Clock clock) {
    this.clock = clock;
    this.returned = threads.signal();
    this.thread = threads.virtual(name, () -> run(call));
  }

  @FunctionalInterface
  interface Call {
    AnswerMeaning call() throws Exception;
  }

  /** What it answered within this time; null if it has not returned. */
  @Nullable AnswerMeaning await(Duration atMost) {
    return returned.await(atMost) ? answer : null;
  }

  /** Asks it to return. Whether it does is its own matter. */
  void interrupt() {
    thread.interrupt();
  }

  boolean isOver() {
    return returned.isRaised();
  }

  /** The monotonic time of its return. */
  long overAt() {
    return overAt;
  }

  @SuppressWarnings("CatchingThrowable")
  private void run(Call call) {
    try {
      answer = call.call();
    } catch (Throwable e) { // also an Error: it says nothing about what has happened outside
      answer = AnswerMeaning.of(e);
    } finally {
      overAt = clock.nanos();
      returned.raise();
    }
  }
}
