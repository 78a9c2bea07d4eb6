package dev.hapax.app.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * The output for a person: on a terminal one line that keeps changing, elsewhere a line per second.
 * Events stay above it. Safe for many threads.
 */
final class Screen {
  private static final String CLEAR_LINE = "\r\033[K";
  private static final long PLAIN_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

  private final PrintStream out;
  private final boolean terminal;
  private final long startedAt = System.nanoTime();
  private long shownAt = startedAt - PLAIN_EVERY_NANOS;
  private String shown = "";

  Screen(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Prints text that stays. */
  synchronized void print(String text) {
    if (terminal) {
      out.print(CLEAR_LINE);
    }
    out.println(text);
    if (terminal) {
      out.print(shown);
    }
    out.flush();
  }

  /** Prints an event that stays, with its time. */
  void tell(String event) {
    print(stamped(event));
  }

  /** Prints figures that replace the ones before. */
  synchronized void show(String figures) {
    if (terminal) {
      shown = stamped(figures);
      out.print(CLEAR_LINE + shown);
      out.flush();
    } else if (!figures.equals(shown) && System.nanoTime() - shownAt >= PLAIN_EVERY_NANOS) {
      shown = figures;
      shownAt = System.nanoTime();
      out.println(stamped(figures));
    }
  }

  /** Ends the figures. */
  synchronized void settle() {
    if (terminal && !shown.isEmpty()) {
      out.println();
    }
    shown = "";
  }

  double seconds() {
    return (System.nanoTime() - startedAt) / 1e9;
  }

  private String stamped(String text) {
    return String.format(Locale.ROOT, "%6.1f s  %s", seconds(), text);
  }
}
