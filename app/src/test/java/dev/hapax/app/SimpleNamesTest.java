package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A simple name belongs to one type of the main sources, so that a search for it finds that type.
 */
class SimpleNamesTest {
  private static final Set<String> NO_TYPES = Set.of("package-info.java", "module-info.java");

  @TempDir private Path folder;

  @Test
  void every_simple_name_belongs_to_one_type() throws IOException {
    assertThat(sharedNames(repository())).as("names that several types have").isEmpty();
  }

  @Test
  void a_name_of_two_types_is_reported() throws IOException {
    write("core/src/main/java/dev/hapax/run/Line.java");
    write("core/src/main/java/dev/hapax/run/package-info.java");
    write("flows/src/main/java/dev/hapax/flows/file/Line.java");
    write("flows/src/main/java/dev/hapax/flows/file/package-info.java");
    write("flows/src/main/java/dev/hapax/flows/file/Other.java");
    write("flows/src/test/java/dev/hapax/flows/file/Other.java");

    assertThat(sharedNames(folder).keySet()).containsExactly("Line.java");
  }

  private void write(String file) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.resolveSibling(""));
    Files.writeString(path, "");
  }

  /** Returns the file names that occur more than once in main sources, and where they occur. */
  private static Map<String, Set<Path>> sharedNames(Path repository) throws IOException {
    var places = new TreeMap<String, Set<Path>>();
    for (Path sources : sourceFolders(repository)) {
      for (Path file : javaFiles(sources)) {
        places
            .computeIfAbsent(file.getFileName().toString(), _ -> new TreeSet<>())
            .add(repository.relativize(file));
      }
    }
    places.keySet().removeAll(NO_TYPES);
    places.values().removeIf(files -> files.size() == 1);
    return places;
  }

  private static List<Path> sourceFolders(Path repository) throws IOException {
    try (Stream<Path> folders = Files.walk(repository, 2)) {
      return folders
          .map(folder -> folder.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .toList();
    }
  }

  private static List<Path> javaFiles(Path sources) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static Path repository() {
    return Path.of(System.getProperty("basedir", "app")).toAbsolutePath().resolveSibling("");
  }
}
