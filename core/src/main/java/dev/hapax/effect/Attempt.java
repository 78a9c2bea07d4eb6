package dev.hapax.effect;

import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of outside code on its own thread. It is over when the code has returned, not at its
 * timeout: until then it may still arrive.
 */
final class Attempt {
  private final Signal returned;
  private final Clock clock;
  private final Runnable run;
  private final int revision;
  private final int number;
  private final String name;
  private final Threads threads;
  private Threads.@Nullable Handle thread; // of the caller that started it
  private final @Nullable Attempt earlier;
  private final Runnable then;
  private volatile @Nullable AnswerMeaning answer;
  private volatile @Nullable Consumer<AnswerMeaning.Done> whenLate;
  private volatile long overAt;

  /**
   * A call that is to be started.
   *
   * @param revision of the effect that it sends; it says nothing about another one
   * @param number of the attempt, as in its intent
   * @param earlier the attempt before it, which may still be under way, also of another revision
   * @param then runs when it has returned
   */
  Attempt(
      int revision,
      int number,
      String name,
      Call call,
      @Nullable Attempt earlier,
      Threads threads,
      Clock clock,
      Runnable then) {
    this.earlier = earlier == null || earlier.isOver() ? null : earlier;
    this.clock = clock;
    this.then = then;
    this.returned = threads.signal();
    this.revision = revision;
    this.number = number;
    this.name = name;
    this.threads = threads;
    this.run = () -> run(call);
  }

  /** Starts the call; called after the attempt is registered, so that it is not overlooked. */
  Attempt start() {
    thread = threads.virtual(name, run);
    return this;
  }

  @FunctionalInterface
  interface Call {
    AnswerMeaning call() throws Exception;
  }

  /** Returns its answer within this time; null if it has not returned. */
  @Nullable AnswerMeaning await(Duration atMost) {
    return returned.await(atMost) ? answer : null;
  }

  /** Asks it to return. The code may ignore this. */
  void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** The attempt before it, if that one was still under way when this one began. */
  @Nullable Attempt earlier() {
    return earlier;
  }

  /** Whether it and the attempts before it have returned. */
  boolean isOver() {
    return returned.isRaised() && (earlier == null || earlier.isOver());
  }

  boolean isOf(int one) {
    return revision == one;
  }

  /** Whether it is the attempt with this number at the revision. */
  boolean is(int one, int attempt) {
    return isOf(one) && number == attempt;
  }

  /** Returns the success of an attempt at this revision, if there is one by now. */
  AnswerMeaning.@Nullable Done answered(int of) {
    if (isOf(of) && returned.isRaised() && answer instanceof AnswerMeaning.Done done) {
      return done;
    }
    return earlier == null ? null : earlier.answered(of);
  }

  /**
   * Does this with the success of each attempt at this revision that is still under way, if it ever
   * reports one.
   */
  void whenLate(int of, Consumer<AnswerMeaning.Done> then) {
    if (isOf(of) && !returned.isRaised()) {
      whenLate = then;
    }
    if (earlier != null) {
      earlier.whenLate(of, then);
    }
  }

  private void tellIfLate() {
    Consumer<AnswerMeaning.Done> late = whenLate;
    if (late != null && answer instanceof AnswerMeaning.Done done) {
      late.accept(done);
    }
  }

  /** Waits up to this long for the first of them that has not returned. */
  void awaitOver(Duration atMost) {
    if (earlier != null && !earlier.isOver()) {
      earlier.awaitOver(atMost);
    } else {
      returned.await(atMost);
    }
  }

  /** The monotonic time at which the last of them returned. */
  long overAt() {
    return earlier == null ? overAt : Math.max(overAt, earlier.overAt());
  }

  @SuppressWarnings("CatchingThrowable")
  private void run(Call call) {
    try {
      answer = call.call();
    } catch (Throwable e) { // also an Error, which does not show what has happened outside
      answer = AnswerMeaning.of(e);
    } finally {
      overAt = clock.nanos();
      returned.raise();
      then.run();
      tellIfLate();
    }
  }
}
