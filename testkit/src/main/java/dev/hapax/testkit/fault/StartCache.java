package dev.hapax.testkit.fault;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The JVM's record of the classes that a rehearsal loaded and linked. With it, the next process of
 * the same main class starts in half the time. A cache belongs to one main class and to one state
 * of the class path. It is kept in {@code target}, for later test runs too. Without a cache
 * everything works, but more slowly.
 */
final class StartCache {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** Keeps warnings of the JVM, such as about a cache that does not fit, out of the output. */
  private static final List<String> SILENT = List.of("-Xlog:disable", "-Xlog:all=error:stderr");

  // Guarded by the class.
  private static final Set<Class<?>> rehearsed = new HashSet<>();

  private StartCache() {}

  /** Returns the class path of a process of this class, with its cache if there is one. */
  static List<String> options(Class<?> main) {
    if (!has(main)) {
      return List.of("-cp", System.getProperty("java.class.path"));
    }
    var options = new ArrayList<>(SILENT);
    options.addAll(List.of("-XX:AOTCache=" + file(main), "-cp", Jars.PATH));
    return options;
  }

  static boolean has(Class<?> main) {
    return Files.exists(file(main));
  }

  /** Runs a process to its end, with these options. */
  interface Rehearsal {
    void run(List<String> options) throws IOException, InterruptedException;
  }

  /**
   * Makes the cache of this class, if there is none and it was not tried before. The JVM writes it
   * at the regular end of the rehearsal.
   */
  static synchronized void rehearse(Class<?> main, Rehearsal rehearsal)
      throws IOException, InterruptedException {
    if (!Files.isDirectory(TARGET) || has(main) || !rehearsed.add(main)) {
      return;
    }
    Files.createDirectories(Jars.FOLDER);
    Jars.forgetOlder();
    try (FileChannel lock =
        FileChannel.open(
            Jars.FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      Objects.requireNonNull(lock.lock()); // another process of the same build may be at it
      if (has(main)) {
        return;
      }
      Jars.make();
      Path made = Jars.FOLDER.resolve(main.getName() + ".new");
      var options = new ArrayList<>(SILENT);
      options.addAll(List.of("-XX:AOTCacheOutput=" + made, "-cp", Jars.PATH));
      rehearsal.run(options);
      if (Files.exists(made)) {
        Files.move(made, file(main), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static Path file(Class<?> main) {
    return Jars.FOLDER.resolve(main.getName() + ".aot");
  }

  /**
   * The class path with a jar in place of each folder, since the JVM caches only classes of jars.
   */
  private static final class Jars {
    static final List<Path> REAL =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.isBlank())
            .map(entry -> Path.of(entry).toAbsolutePath())
            .filter(Files::exists)
            .toList();

    static final Path ALL = TARGET.resolve("start-cache");
    static final Path FOLDER = ALL.resolve(fingerprint());

    static final String PATH =
        String.join(
            File.pathSeparator, REAL.stream().map(Jars::jarOf).map(Path::toString).toList());

    private static Path jarOf(Path entry) {
      return Files.isDirectory(entry)
          ? FOLDER.resolve("classes-" + REAL.indexOf(entry) + ".jar")
          : entry;
    }

    static void make() throws IOException {
      for (Path entry : REAL) {
        if (Files.isDirectory(entry) && Files.notExists(jarOf(entry))) {
          Path part = FOLDER.resolve("classes.part");
          write(entry, part);
          Files.move(part, jarOf(entry), StandardCopyOption.ATOMIC_MOVE);
        }
      }
    }

    /** Deletes caches of earlier states of the classes, which no process uses any more. */
    static void forgetOlder() throws IOException {
      FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
      for (Path other : filesIn(ALL)) {
        if (!other.startsWith(FOLDER) && Files.getLastModifiedTime(other).compareTo(longAgo) < 0) {
          Files.deleteIfExists(other);
        }
      }
    }

    private static void write(Path folder, Path jar) throws IOException {
      try (OutputStream file = Files.newOutputStream(jar);
          ZipOutputStream zip = new ZipOutputStream(file)) {
        zip.setLevel(1);
        for (Path path : filesIn(folder)) {
          zip.putNextEntry(
              new ZipEntry(folder.relativize(path).toString().replace(File.separatorChar, '/')));
          Files.copy(path, zip);
          zip.closeEntry();
        }
      }
    }

    /** Returns a checksum of the names, sizes and times of all files, and of the JVM. */
    private static String fingerprint() {
      var sum = new CRC32();
      add(sum, System.getProperty("java.vm.version") + System.getProperty("java.home"));
      try {
        for (Path entry : REAL) {
          for (Path path : Files.isDirectory(entry) ? filesIn(entry) : List.of(entry)) {
            add(sum, path + " " + Files.size(path) + " " + Files.getLastModifiedTime(path));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    private static void add(CRC32 sum, String text) {
      sum.update(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Path> filesIn(Path folder) throws IOException {
      try (Stream<Path> all = Files.walk(folder)) {
        return all.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()).toList();
      }
    }
  }
}
