package dev.hapax.bench;

import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A folder for the stores of one run of the benchmarks, removed when it is closed. It is below
 * bench/target, because the usual folder for temporary files may be memory, where a sync costs
 * nothing.
 */
record Workspace(Path folder) implements AutoCloseable {
  static Workspace make() throws IOException {
    Path target = Files.createDirectories(target());
    return new Workspace(Files.createTempDirectory(target, "stores-"));
  }

  /** Returns the module's folder, from the place of its classes or jar: bench/target/bench.jar. */
  static Path module() {
    Path above = target().getParent();
    return above == null ? Path.of(".") : above;
  }

  private static Path target() {
    Path above = Path.of(classPath()).getParent();
    return above == null ? Path.of(".") : above;
  }

  static String classPath() {
    return Path.of(
            System.getProperty("java.class.path", "")
                .split(System.getProperty("path.separator", ":"), 2)[0])
        .toAbsolutePath()
        .toString();
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  static Store open(Path file) {
    return StoreProvider.open(provider -> provider.open(file, Ports.system().threads()));
  }

  static Store open(PostgresServer server) {
    String url = server.newDatabase();
    return StoreProvider.open(provider -> provider.open(url, Ports.system().threads()));
  }

  /** Frees the space as soon as a load is over: the largest store has more than a gigabyte. */
  void clear() {
    try (var files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .filter(path -> !path.equals(folder))
          .forEach(Workspace::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    clear();
    delete(folder);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
