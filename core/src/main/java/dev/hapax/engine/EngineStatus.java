package dev.hapax.engine;

import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether the engine is open, closing, closed, or closed because something broke. */
final class EngineStatus {
  private volatile boolean closing;
  private volatile boolean isClosed;
  private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();

  boolean isClosing() {
    return closing;
  }

  boolean isBroken() {
    return broken.get() != null;
  }

  boolean isOpen() {
    return !isBroken() && !closing;
  }

  void closing() {
    closing = true;
  }

  void closed() {
    isClosed = true;
  }

  /** The first cause counts; false for a later one, and for an engine that was closed before. */
  boolean breaks(RuntimeException cause) {
    if (isClosed || !broken.compareAndSet(null, cause)) {
      return false;
    }
    closing = true;
    return true;
  }

  void refuseIfEnded() {
    RuntimeException cause = broken.get();
    if (cause != null) {
      throw new StoreBroken(
          "the store broke and the engine is closed; open it again: " + cause.getMessage(), cause);
    }
    if (closing) {
      throw new StoreClosed();
    }
  }
}
