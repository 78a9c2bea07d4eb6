package dev.hapax.testkit.fault;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A command of the machine, such as {@code mount}, which ends soon by itself. */
final class Tool {
  private static final int NOT_FOUND = 127;

  private Tool() {}

  /**
   * @param said everything that it printed
   */
  record Result(int exit, String said) {
    boolean isDone() {
      return exit == 0;
    }
  }

  /** Runs a command. A missing command counts as failed. */
  static Result run(String... command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      return new Result(NOT_FOUND, String.valueOf(e.getMessage()));
    }
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), said.strip());
  }

  static void must(String... command) throws IOException, InterruptedException {
    Result result = run(command);
    if (!result.isDone()) {
      throw new IOException(
          "%s ended with %d: %s".formatted(List.of(command), result.exit(), result.said()));
    }
  }
}
