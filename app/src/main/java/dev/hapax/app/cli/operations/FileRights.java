package dev.hapax.app.cli.operations;

import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files and folders of a server that others can open: its data folder, everything directly in
 * it (store, WAL, keys, tokens) and the backups.
 */
final class FileRights {
  private FileRights() {}

  /**
   * A file or folder that others can open.
   *
   * @param rights for example {@code rw-r--r--}
   */
  record Open(Path path, String rights, boolean isFolder) {
    /** Returns the command that takes the rights away; others may have chosen the name. */
    String fix() {
      String quoted = path.toString().replace("'", "'\\''");
      return "chmod %s '%s'".formatted(isFolder ? "700" : "600", quoted);
    }
  }

  /**
   * Returns what is too open, in the order of the paths.
   *
   * @throws NoSuchFileException if there is no such folder
   */
  static List<Open> tooOpen(Path data) throws IOException {
    List<Open> found = new ArrayList<>();
    add(data, found);
    for (Path folder : List.of(data, data.resolve("backups"))) {
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        lookInto(folder, found);
      }
    }
    return found.stream().sorted((one, other) -> one.path().compareTo(other.path())).toList();
  }

  private static void lookInto(Path folder, List<Open> found) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        look(entry, found);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static void look(Path path, List<Open> found) throws IOException {
    try {
      add(path, found);
    } catch (NoSuchFileException e) {
      // it was removed meanwhile
    }
  }

  private static void add(Path path, List<Open> found) throws IOException {
    String rights = OwnerOnly.tooOpen(path);
    if (rights != null) {
      found.add(new Open(path, rights, Files.isDirectory(path)));
    }
  }
}
