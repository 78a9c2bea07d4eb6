package dev.hapax.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates files and folders that only their owner can use. They get their rights at their creation,
 * so there is no moment in which others can open them, and the umask of the process does not
 * matter. What exists keeps its rights. A file system without such rights is left as it is.
 */
public final class OwnerOnly {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private OwnerOnly() {}

  /** Creates the folder, and those above it, unless they exist. */
  public static Path folder(Path folder) throws IOException {
    return Files.createDirectories(folder, rights(folder, FOLDER));
  }

  /** Creates the file, empty, unless it exists. */
  public static void file(Path file) throws IOException {
    try {
      open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)).close();
    } catch (FileAlreadyExistsException e) {
      // it keeps its rights
    }
  }

  /** Opens the file; if the options create it, only its owner can open it. */
  public static FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
    return FileChannel.open(file, options, rights(file, FILE));
  }

  /**
   * Returns the rights that others have on this file or folder, for example {@code rw-r--r--}; null
   * if they have none, or the file system knows no such rights.
   */
  public static @Nullable String tooOpen(Path path) throws IOException {
    if (!hasRights(path)) {
      return null;
    }
    Set<PosixFilePermission> others = EnumSet.noneOf(PosixFilePermission.class);
    others.addAll(Files.getPosixFilePermissions(path));
    String all = PosixFilePermissions.toString(others);
    others.removeAll(FOLDER);
    return others.isEmpty() ? null : all;
  }

  private static FileAttribute<?>[] rights(Path path, Set<PosixFilePermission> rights) {
    return hasRights(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(rights)}
        : new FileAttribute<?>[0];
  }

  private static boolean hasRights(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
