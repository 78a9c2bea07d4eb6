package dev.hapax.flows.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shell script that runs jobs on another machine. It is sent with every call, so nothing is
 * installed there, and its end says what to do, so a script that is cut off does nothing.
 */
final class Launcher {
  /** What a machine runs; any login shell understands it. */
  static final String SHELL = "sh -s";

  /** The script's first words: before them it has done nothing. */
  static final String HELLO = "hapax-launcher";

  private static final String SCRIPT = script();
  private static final String ANSWER = "hapax-job";
  private static final int FIELDS = 8;

  private Launcher() {}

  private static String script() {
    try (InputStream in =
        Objects.requireNonNull(Launcher.class.getResourceAsStream("launcher.sh"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the script that begins a job.
   *
   * @param wait how long it waits for the job's end
   * @param most bytes of each output that it sends
   * @param keep how long a job that has ended is kept
   */
  static String start(RemoteOrder.Start job, Duration wait, long most, Duration keep) {
    return script(
        "start %s %d %d %d %s"
            .formatted(
                job.token(),
                wait.toMillis() / 100,
                most,
                keep.toDays() + 1,
                RemoteOrder.quoted(job.command())));
  }

  /**
   * A shell runs a line that is cut off as far as it came, which may be another command. It runs
   * nothing of a group before the end of the group.
   */
  private static String script(String order) {
    return SCRIPT + "{ launch " + order + "\n}\n";
  }

  /** Returns the script that waits so long for a job's end, and reads its state. */
  static String look(String token, Duration wait, long most) {
    return script("look %s %d %d".formatted(token, wait.toMillis() / 100, most));
  }

  /** Returns the script that ends a job. */
  static String cancel(String token) {
    return script("cancel " + token);
  }

  /**
   * The line before the outputs.
   *
   * @param out the size of stdout
   * @param sentOut how much of it follows: all or nothing
   */
  record Head(
      RemoteState state, @Nullable Integer exit, long out, long sentOut, long err, long sentErr) {
    /** Returns null if the line is none: a login shell may say something first. */
    static @Nullable Head of(String line, String token) throws IOException {
      String[] fields = line.split(" ", -1);
      if (fields.length != FIELDS || !fields[0].equals(ANSWER) || !fields[1].equals(token)) {
        return null;
      }
      try {
        long[] sizes = Arrays.stream(fields).skip(4).mapToLong(Long::parseLong).toArray();
        return new Head(
                RemoteState.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                fields[3].equals("-") ? null : Integer.valueOf(fields[3]),
                sizes[0],
                sizes[1],
                sizes[2],
                sizes[3])
            .checked();
      } catch (IllegalArgumentException e) {
        throw new IOException("the launcher's answer cannot be read: " + line, e);
      }
    }

    /** What cannot be true was not written by the launcher, or not as it was meant. */
    private Head checked() {
      boolean areSizes = sentOut >= 0 && sentOut <= out && sentErr >= 0 && sentErr <= err;
      if (!areSizes || (state == RemoteState.ENDED && exit == null)) {
        throw new IllegalArgumentException("sizes or exit code");
      }
      return this;
    }
  }
}
