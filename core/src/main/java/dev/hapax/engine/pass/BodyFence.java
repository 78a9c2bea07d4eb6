package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.engine.writing.RunWriter;
import dev.hapax.flow.Failure;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.StoreUnavailable;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the threads of a body may still enter the engine and write. The thread that
 * closes the fence decides how the stay ends: the body's thread parks or ends the run, or the
 * engine gives up a body that does not return. After that the body can write nothing.
 */
final class BodyFence {
  /** A body may enter from its {@code finally} blocks, once or twice. */
  private static final int MOST_REFUSALS = 2;

  /** One line of execution that enters the engine from a body. */
  interface Visitor {
    /** Counts a refused entry, and returns how many there were. */
    int countRefusal();

    /** Leaves the thread where it is; the run continues without it. */
    void standStill();

    /** Returns whether it has already left its body. */
    boolean isOut();
  }

  // Guarded by this. Inside: these fibers are in the engine and leave it by themselves. Deciding: a
  // thread is writing down how the stay ends.
  private final Set<Visitor> inside = new HashSet<>();
  private boolean closed;
  private boolean deciding;
  private boolean isGivenUp;
  private boolean isOver;
  private int idleLooks;
  private @Nullable Failure failure;
  private @Nullable RuntimeException trouble;

  /**
   * Lets a thread of the body into the engine. A thread that is refused again and again has a body
   * that swallows the refusal. It is blocked for good; otherwise it would spin on a thread that all
   * runs share.
   */
  void enter(Visitor fiber) {
    if (!isEntered(fiber)) {
      if (fiber.countRefusal() > MOST_REFUSALS) {
        fiber.standStill();
      }
      throw new Unwind();
    }
  }

  private synchronized boolean isEntered(Visitor fiber) {
    if (closed || fiber.isOut()) {
      return false;
    }
    inside.add(fiber);
    idleLooks = 0;
    return true;
  }

  /** The thread returns to the body. */
  synchronized void leave(Visitor fiber) {
    inside.remove(fiber);
  }

  synchronized Unwind close() {
    closed = true;
    return new Unwind();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Ends the run with this failure, no matter what its body does. */
  synchronized Unwind closeFor(Failure why) {
    if (!closed) {
      failure = why;
      closed = true;
    }
    return new Unwind();
  }

  /** Why it was closed, unless that is being written. */
  synchronized @Nullable Failure failure() {
    return failure;
  }

  /** The caller will write down why the fence was closed. */
  synchronized void takeFailure() {
    failure = null;
  }

  /**
   * Closes the fence because the run could not be written or read. A refusal replaces an earlier
   * cause, and every cause replaces a store that did not answer.
   */
  synchronized Unwind closeFor(RuntimeException why) {
    if (trouble == null
        || trouble instanceof StoreUnavailable
        || why instanceof RunWriter.Refused
        || why instanceof RunWriter.NoSlot) {
      trouble = why;
    }
    return close();
  }

  /**
   * Closes the fence if a store gave no answer to the body's own code, no matter how often that
   * code has wrapped it; the run is tried again. Returns null for any other failure. The store may
   * be another one than the run's: if the run's is closed or broken, the next commit says so.
   */
  @Nullable Unwind closeIfUnanswered(Throwable thrown) {
    NoAnswer missing = NoAnswer.behind(thrown);
    return missing == null
        ? null
        : closeFor(new StoreUnavailable(String.valueOf(missing.getMessage()), missing));
  }

  /** Why the run could not be written or read. */
  synchronized @Nullable RuntimeException trouble() {
    return trouble;
  }

  /** The body's thread has returned. It decides from here on, unless the engine has given it up. */
  synchronized boolean decide() {
    if (deciding) {
      return false;
    }
    deciding = true;
    return true;
  }

  /** Lets the engine decide instead of the body, unless a fiber is about to leave by itself. */
  synchronized boolean decideInstead() {
    if (isDecided() || !inside.isEmpty()) {
      return false;
    }
    deciding = true;
    isGivenUp = true;
    closed = true;
    return true;
  }

  /** Whether the engine decides instead of the body. */
  synchronized boolean isGivenUp() {
    return isGivenUp;
  }

  synchronized boolean isDecided() {
    return deciding || isOver;
  }

  /** How often this was called since the body last reached a step, from 0. */
  synchronized int idleLooks() {
    return idleLooks++;
  }

  /** The run has left memory. */
  synchronized void over() {
    isOver = true;
  }
}
