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
 * The requests that have arrived at the sink, append only and synced before any answer: the witness
 * of a crash test.
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

  /** Returns the arrivals in their order. */
  public static List<Arrival> read(Path path) throws IOException {
    return Files.readAllLines(path).stream().map(Arrival::of).toList();
  }

  /** Reads a log that is still being written, each arrival once. For one thread. */
  public static final class Tail {
    private final Path path;
    private long position;

    public Tail(Path path) {
      this.path = path;
    }

    /** Returns the arrivals since the last call. */
    public List<Arrival> next() throws IOException {
      try (FileChannel log = FileChannel.open(path, StandardOpenOption.READ)) {
        var bytes = ByteBuffer.allocate(Math.toIntExact(log.size() - position));
        while (bytes.hasRemaining() && log.read(bytes, position + bytes.position()) >= 0) {}
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        String whole =
            text.substring(0, text.lastIndexOf('\n') + 1); // the last may be half written
        position += whole.getBytes(StandardCharsets.UTF_8).length;
        return whole.lines().map(Arrival::of).toList();
      }
    }
  }
}
