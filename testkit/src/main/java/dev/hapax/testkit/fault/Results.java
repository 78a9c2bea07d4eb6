package dev.hapax.testkit.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * The results of long runs, a line each, in the file that {@code -Dhapax.results} names. Without it
 * nothing is kept: the runs of every build only print.
 */
public final class Results {
  private Results() {}

  public static void append(String line) throws IOException {
    String file = System.getProperty("hapax.results");
    if (file != null && !file.isEmpty()) {
      Files.writeString(
          Path.of(file),
          Instant.now() + " " + line + System.lineSeparator(),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
