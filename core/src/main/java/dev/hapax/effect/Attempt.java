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
  private final @Nullable Attempt earlier;
  private volatile @Nullable AnswerMeaning answer;
  private volatile long overAt;

  /**
   * Starts the call.
   *
   * @param earlier the attempt before it, which may still be under way
   */
  Attempt(String name, Call call, @Nullable Attempt earlier, Threads threads, Clock clock) {
    this.earlier = earlier == null || earlier.isOver() ? null : earlier;
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

  /** The attempt before it, if that one was still under way when this one began. */
  @Nullable Attempt earlier() {
    return earlier;
  }

  /** Whether it has returned, and so have those before it. */
  boolean isOver() {
    return returned.isRaised() && (earlier == null || earlier.isOver());
  }

  /** The monotonic time at which the last of them returned. */
  long overAt() {
    return earlier == null ? overAt : Math.max(overAt, earlier.overAt());
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
