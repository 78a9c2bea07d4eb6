package dev.hapax.store.sqlite;

import dev.hapax.store.StoreRefused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a store to one process: SQLite alone would let two engines write to one file in turns. The
 * operating system releases the lock when the process ends, however it ends, so holding it proves
 * that the former owner is gone.
 */
final class StoreLock implements AutoCloseable {
  /**
   * What is locked lies behind the text, so that the text can be read while it is locked, also on
   * Windows.
   */
  private static final long LOCKED_BYTE = 1L << 40;

  private static final int LONGEST_PID = 20;

  private final FileChannel channel;

  private StoreLock(FileChannel channel) {
    this.channel = channel;
  }

  static StoreLock take(Path store) {
    Path file = store.resolveSibling(store.getFileName() + ".lock");
    try {
      // Closed by close(), or below.
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        String holder = readPid(channel);
        channel.close();
        throw new StoreRefused(
            "%s is in use by another process (pid %s). Stop it, or open another file."
                .formatted(store, holder),
            null);
      }
      writePid(channel);
      return new StoreLock(channel);
    } catch (IOException e) {
      throw new StoreRefused("%s cannot be locked: %s".formatted(store, e.getMessage()), e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(LOCKED_BYTE, 1, false) != null;
    } catch (OverlappingFileLockException e) {
      return false; // held by this very process
    }
  }

  private static String readPid(FileChannel channel) throws IOException {
    var text = ByteBuffer.allocate(LONGEST_PID);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "unknown" : pid;
  }

  private static void writePid(FileChannel channel) throws IOException {
    byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid), 0);
  }

  /**
   * Leaves the file: deleting it would let a third process lock a new one while a second waits on
   * the old.
   */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("the lock file could not be closed", e);
    }
  }
}
