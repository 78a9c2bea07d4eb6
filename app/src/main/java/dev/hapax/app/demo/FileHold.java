package dev.hapax.app.demo;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A lock for one process at a time. The kernel releases it when the holder dies, in any way. */
record FileHold(FileChannel channel) implements Closeable {
  /** Returns null if another process holds it. */
  static @Nullable FileHold tryTake(Path file) throws IOException {
    FileChannel channel = open(file);
    if (channel.tryLock() != null) {
      return new FileHold(channel);
    }
    channel.close();
    return null;
  }

  /**
   * Waits for the holder to end: a child of a killed demo needs a moment to notice that its parent
   * is gone.
   */
  static FileHold take(Path file) throws IOException {
    FileChannel channel = open(file);
    channel.lock();
    return new FileHold(channel);
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
