package dev.hapax.store.sqlite;

import dev.hapax.flow.StoreRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The stores that this JVM has open. The operating system drops a process's lock on a file as soon
 * as any part of the process closes that file, so a second opening must be refused before it
 * touches the file. The names are system properties, because another class loader has its own
 * classes.
 */
final class OpenFiles implements AutoCloseable {
  private static final String PREFIX = "dev.hapax.open.";

  private final Path path;
  private final List<String> names = new ArrayList<>();

  private OpenFiles(Path path) {
    this.path = path;
  }

  /** Notes the file by its path and, if it exists, by its identity on the disk. */
  static OpenFiles add(Path path) {
    var open = new OpenFiles(path);
    open.claim("path " + path);
    open.addExisting();
    return open;
  }

  /** Notes the identity on the disk of a file that was created since. */
  void addExisting() {
    Object key = key(path);
    String name = key == null ? null : "file " + key;
    if (name != null && !names.contains(PREFIX + name)) {
      claim(name);
    }
  }

  private void claim(String what) {
    String name = PREFIX + what;
    Properties all = System.getProperties();
    if (all.putIfAbsent(name, "") != null) {
      close();
      throw new StoreRefused(
          "%s is in use by this process (pid %d) already. Close the other Hapax first, or share it."
              .formatted(path, ProcessHandle.current().pid()),
          null);
    }
    names.add(name);
  }

  /**
   * Returns the identity of a file, independent of its name; null if there is no file, or the file
   * system has no identities.
   */
  static @Nullable Object key(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public void close() {
    names.forEach(System.getProperties()::remove);
    names.clear();
  }
}
