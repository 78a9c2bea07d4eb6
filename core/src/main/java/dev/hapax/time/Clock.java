package dev.hapax.time;

import java.time.Instant;

/** What time it is. The wall clock may jump; the monotonic one only goes forward while we live. */
public interface Clock {
  Instant now();

  /** Nanoseconds since some fixed moment of this process; only differences mean something. */
  long nanos();
}
