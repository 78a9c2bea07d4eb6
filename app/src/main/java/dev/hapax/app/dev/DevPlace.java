package dev.hapax.app.dev;

import dev.hapax.app.cli.connection.DevAddress;
import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code .hapax-dev} in a folder of flows: the store of its development server. One
 * process at a time has it; the kernel gives it back when that process dies, in any way.
 */
public final class DevPlace implements AutoCloseable {
  private static final String LOCK = "dev.lock";

  private final Path folder;
  private final FileChannel lock;

  private DevPlace(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Thrown if another server has the folder. */
  public static final class InUse extends IOException {
    private static final long serialVersionUID = 1L;

    InUse(Path flows) {
      super("another 'hapax dev' serves '%s'".formatted(flows));
    }
  }

  /**
   * Takes the folder, and makes it if there is none.
   *
   * @param flows the folder of flows
   * @param isFresh whether everything in it is removed first
   */
  public static DevPlace take(Path flows, boolean isFresh) throws IOException {
    Path folder = DevAddress.dataOf(flows);
    if (Files.isSymbolicLink(folder)) {
      throw new IOException(
          "%s is a link: a development server stores only in the folder of its flows"
              .formatted(folder));
    }
    OwnerOnly.folder(folder);
    FileChannel channel =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (locked(channel) == null) {
      channel.close();
      throw new InUse(flows);
    }
    var place = new DevPlace(folder, channel);
    try {
      if (isFresh) {
        place.empty();
      }
      Files.writeString(folder.resolve(".gitignore"), "*\n");
    } catch (IOException e) {
      place.close();
      throw e;
    }
    return place;
  }

  /** Returns null if another process, or another server of this one, has it. */
  private static @Nullable FileLock locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Follows no link, and leaves the lock, which is held. */
  private void empty() throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!file.equals(folder.resolve(LOCK))) {
              Files.delete(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException problem)
              throws IOException {
            if (problem != null) {
              throw problem;
            }
            if (!visited.equals(folder)) {
              Files.delete(visited);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  public Path folder() {
    return folder;
  }

  /** Returns the file that keeps how far the clock is ahead. */
  public Path clock() {
    return folder.resolve("clock");
  }

  /** Returns the file that lists the secrets that were made up. */
  Path secrets() {
    return folder.resolve("made-up-secrets.json");
  }

  /** Says where the server listens. */
  public void announce(URI address) throws IOException {
    DevAddress.write(folder, address);
  }

  @Override
  public void close() throws IOException {
    DevAddress.remove(folder);
    lock.close();
  }
}
