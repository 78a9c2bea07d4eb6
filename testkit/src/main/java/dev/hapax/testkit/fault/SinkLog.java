package dev.hapax.testkit.fault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * What has arrived at the sink, append only and synced before anybody is answered: the witness of a
 * crash test.
 */
public final class SinkLog implements AutoCloseable {
  private final FileChannel file;

  SinkLog(Path path) throws IOException {
    this.file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  void append(Arrival arrival) throws IOException {
    ByteBuffer line = StandardCharsets.UTF_8.encode(arrival.line() + "\n");
    while (line.hasRemaining()) {
      file.write(line);
    }
    file.force(false);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** In the order of arrival. */
  public static List<Arrival> read(Path path) throws IOException {
    return Files.readAllLines(path).stream().map(Arrival::of).toList();
  }
}
