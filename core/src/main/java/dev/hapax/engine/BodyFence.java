package dev.hapax.engine;

import dev.hapax.effect.Unwind;
import dev.hapax.run.Failure;
import dev.hapax.store.StoreUnavailable;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the threads of a body may still enter the engine and write. The thread that
 * closes the fence decides how the stay ends: the body's thread parks or ends the run, or the
 * engine gives up a body that does not return. After that the body can write nothing.
 */
final class BodyFence {
  /** A body may come from its {@code finally} blocks, one or two of them. */
  private static final int MOST_REFUSALS = 2;

  // Guarded by this. Inside: these fibers are in the engine and come out by themselves. Deciding:
  // somebody writes down what becomes of the run.
  private final Set<Fiber> inside = new HashSet<>();
  private boolean closed;
  private boolean deciding;
  private boolean isGivenUp;
  private boolean isOver;
  private int idleLooks;
  private @Nullable Failure failure;
  private @Nullable RuntimeException trouble;

  /**
   * A thread comes from the body into the engine. One that is refused and comes again and again has
   * a body that swallows the refusal: it stands still, or it would spin on a thread that all runs
   * share.
   */
  void enter(Fiber fiber) {
    if (!isEntered(fiber)) {
      if (fiber.countRefusal() > MOST_REFUSALS) {
        fiber.standStill();
      }
      throw new Unwind();
    }
  }

  private synchronized boolean isEntered(Fiber fiber) {
    if (closed || fiber.isOut()) {
      return false;
    }
    inside.add(fiber);
    idleLooks = 0;
    return true;
  }

  /** The thread goes back to the body. */
  synchronized void leave(Fiber fiber) {
    inside.remove(fiber);
  }

  synchronized Unwind close() {
    closed = true;
    return new Unwind();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** The run is to end with this failure, whatever its body makes of it. */
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

  /** From here on somebody writes down why it was closed. */
  synchronized void takeFailure() {
    failure = null;
  }

  /**
   * What cannot be written or read closes it; a refusal says more than that the rest was lost, and
   * everything says more than that the store could not answer.
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

  /** Why the run cannot be written, or could not be read. */
  synchronized @Nullable RuntimeException trouble() {
    return trouble;
  }

  /** The body's thread has come out: from here on it decides, unless the engine has given it up. */
  synchronized boolean decide() {
    if (deciding) {
      return false;
    }
    deciding = true;
    return true;
  }

  /** The engine wants to decide instead of the body; not while a fiber comes out by itself. */
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

  /** How often this was asked since the body last came to a step, from 0. */
  synchronized int idleLooks() {
    return idleLooks++;
  }

  /** The run has left memory. */
  synchronized void over() {
    isOver = true;
  }
}
