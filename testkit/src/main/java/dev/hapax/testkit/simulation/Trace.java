package dev.hapax.testkit.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The events of a simulation, in order: a hash that must be the same for the same seed in every
 * process, and lines for people if they are requested.
 */
public final class Trace {
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private final boolean readable;
  private final List<String> lines = new ArrayList<>();
  private long hash = PRIME;

  Trace(boolean readable) {
    this.readable = readable;
  }

  /** Adds an event to the hash. Equal arguments have equal numbers. */
  void note(long nanos, String who, String what, long arguments) {
    mix(nanos);
    mix(who.hashCode());
    mix(what.hashCode());
    mix(arguments);
  }

  /** Adds a line for people. The line is made only if it is read. */
  void say(long nanos, Supplier<String> line) {
    if (readable) {
      lines.add("%14s  %s".formatted(Duration.ofNanos(nanos), line.get()));
    }
  }

  boolean isReadable() {
    return readable;
  }

  public List<String> lines() {
    return lines;
  }

  public long hash() {
    return hash;
  }

  private void mix(long value) {
    hash = Long.rotateLeft((hash ^ value) * PRIME, 29);
  }
}
