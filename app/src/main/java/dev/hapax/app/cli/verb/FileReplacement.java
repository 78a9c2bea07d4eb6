package dev.hapax.app.cli.verb;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;

/**
 * Writes a file as a whole or not at all: the text goes to a new file beside it, which then takes
 * its place. Permissions stay, and a symbolic link is refused instead of followed.
 */
public final class FileReplacement {
  private FileReplacement() {}

  /** Writes the text to this file; the folder must be there. */
  public static void write(Path file, String text) {
    refuseOdd(file);
    try {
      Path fresh = file.resolveSibling(freshName(file));
      try {
        fill(fresh, file, text);
        Files.move(
            fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (IOException e) {
      throw Refusal.of(
              Exit.REFUSED, "cannot-write", "cannot write '%s': %s".formatted(file, e.getMessage()))
          .hint("the file is as it was before");
    }
  }

  private static void refuseOdd(Path file) {
    if (Files.isSymbolicLink(file)) {
      throw Refusal.of(Exit.REFUSED, "symbolic-link", "'%s' is a symbolic link".formatted(file))
          .hint("name the file that it points to");
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw Refusal.of(Exit.REFUSED, "not-a-file", "'%s' is not a file".formatted(file))
          .hint("name a file");
    }
  }

  /** A dot in front, so that no tool takes it for the file itself. */
  private static String freshName(Path file) {
    return ".%s.%d.%d.new"
        .formatted(file.getFileName(), ProcessHandle.current().pid(), System.nanoTime());
  }

  /** The permissions come before the text: it may be readable for few. */
  private static void fill(Path fresh, Path old, String text) throws IOException {
    try (var channel =
        FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      var view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
      if (view != null && Files.exists(old, LinkOption.NOFOLLOW_LINKS)) {
        view.setPermissions(Files.getPosixFilePermissions(old, LinkOption.NOFOLLOW_LINKS));
      }
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }
}
