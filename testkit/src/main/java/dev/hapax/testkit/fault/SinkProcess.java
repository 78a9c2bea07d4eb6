package dev.hapax.testkit.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A {@link Sink} in a separate process; closing it ends the process. */
public final class SinkProcess implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final ChildProcess process;
  private final int port;

  private SinkProcess(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts the process and returns when it listens. */
  public static SinkProcess start(Path directory, Path log, SinkFaults faults)
      throws IOException, InterruptedException {
    ChildProcess process =
        ChildProcess.start(
            directory, Sink.class, List.of(), List.of(log.toString(), faults.word()));
    try {
      String line = process.awaitLine(said -> said.startsWith(Sink.PORT), LONGEST);
      return new SinkProcess(process, Integer.parseInt(line.substring(Sink.PORT.length())));
    } catch (IllegalStateException | InterruptedException e) {
      process.close();
      throw e;
    }
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    process.close();
  }
}
