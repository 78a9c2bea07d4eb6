package dev.hapax.app.dev;

import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Words;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of {@code hapax dev}. Whole messages are printed at once, and text from files and
 * flows cannot move the cursor. Safe for many threads.
 */
public final class DevScreen {
  private final PrintStream out;
  private final Paint paint;

  public DevScreen(PrintStream out, Paint paint) {
    this.out = out;
    this.paint = paint;
  }

  /** Prints lines. */
  public synchronized void say(String text) {
    out.println(Words.plain(text));
    out.flush();
  }

  /**
   * Prints what is wrong at a place.
   *
   * @param excerpt the line of the file with a mark, or nothing
   */
  synchronized void finding(Note note, String excerpt) {
    out.printf(
        "%s %s %s: %s.%n%s%s",
        Words.line(note.place()),
        paint.status(Words.line(note.level())),
        Words.line(note.rule()),
        Words.line(note.message()),
        Words.plain(excerpt),
        note.fix() == null ? "" : "  %s%n".formatted(Words.line(note.fix())));
    out.flush();
  }

  /** What is wrong, and what to do; {@code fix} may be null. */
  record Note(String place, String level, String rule, String message, @Nullable String fix) {
    static Note error(String place, String rule, String message, @Nullable String fix) {
      return new Note(place, "error", rule, message, fix);
    }
  }
}
