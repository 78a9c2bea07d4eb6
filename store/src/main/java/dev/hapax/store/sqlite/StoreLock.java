package dev.hapax.store.sqlite;

import dev.hapax.flow.StoreRefused;
import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Keeps a store to one process: SQLite alone would let two engines write to one file in turns. The
 * operating system releases the lock when the process ends, however it ends, so holding it proves
 * that the former owner is gone.
 */
final class StoreLock implements AutoCloseable {
  /**
   * The locked byte is behind the text, so that the text can be read while it is locked, even on
   * Windows.
   */
  private static final long LOCKED_BYTE = 1L << 40;

  private static final int LONGEST_TEXT = 100;

  private final FileChannel channel;

  private StoreLock(FileChannel channel) {
    this.channel = channel;
  }

  static StoreLock take(Path store) {
    Path file = store.resolveSibling(store.getFileName() + ".lock");
    try {
      // Closed by close(), or below.
      FileChannel channel =
          OwnerOnly.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
      boolean isLocked = isLocked(channel);
      Holder holder = Holder.read(channel);
      if (!isLocked || holder.isAnotherThatLives()) {
        channel.close();
        throw new StoreRefused(
            "%s is in use by another process (pid %s). Stop it, or open another file."
                .formatted(store, holder.pid()),
            null);
      }
      Holder.own().write(channel);
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

  /**
   * The process that wrote the lock file. The operating system drops its lock when any code in it
   * reads that file, so a living holder counts even without the lock. Its start time distinguishes
   * it from a later process with the same number.
   *
   * @param pid a number, or "unknown"
   * @param start empty if it is not known
   */
  private record Holder(String pid, String start) {
    /** Linux's states of a thread that has ended: zombie, or dead. */
    private static final String ENDED = "ZXx";

    static Holder own() {
      ProcessHandle own = ProcessHandle.current();
      return new Holder(Long.toString(own.pid()), startOf(own));
    }

    static Holder read(FileChannel channel) throws IOException {
      var text = ByteBuffer.allocate(LONGEST_TEXT);
      channel.read(text, 0);
      String line = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
      String words = line.strip();
      int end = words.indexOf(' ');
      String pid = end < 0 ? words : words.substring(0, end);
      return new Holder(
          pid.isEmpty() ? "unknown" : pid, end < 0 ? "" : words.substring(end).strip());
    }

    void write(FileChannel channel) throws IOException {
      channel.truncate(0);
      String line = "%s %s%n".formatted(pid, start);
      channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    boolean isAnotherThatLives() {
      if (start.isEmpty() || equals(own())) {
        return false;
      }
      try {
        return ProcessHandle.of(Long.parseLong(pid))
            .filter(process -> !hasEnded(process) && process.isAlive())
            .filter(process -> startOf(process).equals(start))
            .isPresent();
      } catch (NumberFormatException e) {
        return false;
      }
    }

    /**
     * Whether all its threads have ended, although its parent has not waited for it: in a container
     * or under a shell it may stay listed as alive for as long as that parent lives. Only Linux
     * shows this; elsewhere the answer is no.
     */
    private static boolean hasEnded(ProcessHandle process) {
      Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
      try (var each = Files.newDirectoryStream(threads)) {
        for (Path thread : each) {
          String line = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
          char state = line.charAt(line.lastIndexOf(')') + 2); // behind the name, which may be any
          if (ENDED.indexOf(state) < 0) {
            return false;
          }
        }
        return true;
      } catch (IOException | DirectoryIteratorException e) {
        return false;
      }
    }

    private static String startOf(ProcessHandle process) {
      return process.info().startInstant().map(Object::toString).orElse("");
    }
  }

  /**
   * Leaves an empty file: if it were deleted, a third process could lock a new file while a second
   * waits on the old one.
   */
  @Override
  public void close() {
    try (channel) {
      channel.truncate(0);
    } catch (IOException e) {
      throw new IllegalStateException("the lock file could not be closed", e);
    }
  }
}
