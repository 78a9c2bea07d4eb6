package dev.hapax.export;

import dev.hapax.store.OwnerOnly;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that one process writes. While it is written, its name ends in {@code .part} and
 * a lock of the operating system says that its writer lives; afterwards its name says from when to
 * when its records were deleted. Used by one thread.
 */
final class ExportFile {
  static final String PART = ".part";
  private static final String END = ".ndjson";
  private static final String BEGIN = "deleted-";
  private static final int BUFFER = 1 << 16;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  private final Path folder;
  private final Path part;
  private final FileChannel channel;
  private OutputStream out;
  private final Instant from;
  private Instant to;
  private long durable;
  private long written;

  private ExportFile(Path folder, Path part, FileChannel channel, Instant from) {
    this.folder = folder;
    this.part = part;
    this.channel = channel;
    this.out = buffered(channel);
    this.from = from;
    this.to = from;
  }

  private static OutputStream buffered(FileChannel channel) {
    return new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
  }

  static ExportFile create(Path folder, Instant now) throws IOException {
    for (int n = 1; ; n++) {
      Path part = folder.resolve("%s%s-%d%s%s".formatted(BEGIN, TIME.format(now), n, END, PART));
      try {
        FileChannel channel =
            OwnerOnly.open(part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        if (locked(channel) == null) {
          throw new IOException("another process has locked the new file " + part);
        }
        syncFolder(folder);
        return new ExportFile(folder, part, channel, now);
      } catch (FileAlreadyExistsException e) {
        // another process, or an earlier file of the same moment
      }
    }
  }

  private static @Nullable FileLock locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another part of this process writes it
    }
  }

  /** Ends the files of processes that have died; a line that was cut is removed. */
  static void recover(Path folder) throws IOException {
    try (var files = Files.newDirectoryStream(folder, BEGIN + "*" + PART)) {
      for (Path part : files) {
        try (FileChannel channel =
            FileChannel.open(part, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          if (locked(channel) != null) {
            finish(folder, part, channel, whole(channel));
          }
        }
      }
    }
  }

  /** Returns the length up to the last end of a line. */
  private static long whole(FileChannel channel) throws IOException {
    var bytes = ByteBuffer.allocate(BUFFER);
    for (long end = channel.size(); end > 0; ) {
      long begin = Math.max(0, end - BUFFER);
      bytes.clear().limit((int) (end - begin));
      while (bytes.hasRemaining() && channel.read(bytes, begin + bytes.position()) >= 0) {
        // until the part is there
      }
      for (int i = bytes.position() - 1; i >= 0; i--) {
        if (bytes.get(i) == '\n') {
          return begin + i + 1;
        }
      }
      end = begin;
    }
    return 0;
  }

  private static void finish(Path folder, Path part, FileChannel channel, long length)
      throws IOException {
    channel.truncate(length);
    channel.force(true);
    if (length == 0) {
      Files.delete(part);
    } else {
      String name = part.getFileName().toString();
      String first = name.substring(BEGIN.length(), name.lastIndexOf('-'));
      rename(folder, part, first, TIME.format(Files.getLastModifiedTime(part).toInstant()));
    }
  }

  private static void rename(Path folder, Path part, String first, String last) throws IOException {
    for (int n = 1; ; n++) {
      String more = n == 1 ? "" : "-" + n;
      Path whole = folder.resolve(BEGIN + first + "-to-" + last + more + END);
      if (!Files.exists(whole)) {
        Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
        syncFolder(folder);
        return;
      }
    }
  }

  /** A new name is durable when its folder is. */
  private static void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  void line(String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    out.write(bytes);
    out.write('\n');
    written += bytes.length + 1L;
  }

  void sync(Instant now) throws IOException {
    out.flush();
    channel.force(false);
    durable = written;
    to = now;
  }

  /** Removes what is not durable. What is still in the buffer must never follow. */
  void abandon() throws IOException {
    out = buffered(channel);
    channel.truncate(durable);
    channel.position(durable);
    written = durable;
  }

  long size() {
    return written;
  }

  Instant from() {
    return from;
  }

  /** Ends the file; it gets its last name. */
  void close() throws IOException {
    try (channel) {
      channel.truncate(durable);
      if (durable == 0) {
        Files.deleteIfExists(part);
      } else {
        rename(folder, part, TIME.format(from), TIME.format(to));
      }
    }
  }
}
