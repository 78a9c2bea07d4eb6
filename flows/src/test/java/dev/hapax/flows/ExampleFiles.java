package dev.hapax.flows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The flow files of {@code examples/flows}, and of the folders of {@code examples/blueprints}. */
public final class ExampleFiles {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).resolve("../examples").normalize();
  private static final String BLUEPRINTS = "blueprints/";

  private ExampleFiles() {}

  /**
   * Returns the names of all of them, in order: {@code steps/http.yaml} of {@code examples/flows},
   * and {@code blueprints/charge-order/flows/charge-order.yaml}.
   */
  public static List<String> names() {
    return Stream.concat(below("flows", ""), below("blueprints", BLUEPRINTS))
        .filter(name -> !name.endsWith(".test.yaml")) // cases, not flows
        .filter(name -> !isBlueprint(name) || name.contains("/flows/")) // a stand-in, not a flow
        .sorted()
        .toList();
  }

  private static Stream<String> below(String folder, String named) {
    Path root = ROOT.resolve(folder);
    try (Stream<Path> all = Files.walk(root)) {
      return all
          .filter(file -> file.toString().endsWith(".yaml"))
          .map(file -> named + root.relativize(file).toString().replace('\\', '/'))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isBlueprint(String name) {
    return name.startsWith(BLUEPRINTS);
  }

  /** Returns the file of a name. */
  public static Path path(String name) {
    return isBlueprint(name) ? ROOT.resolve(name) : ROOT.resolve("flows").resolve(name);
  }

  /** Returns all files, in the order of their names. */
  public static List<Path> paths() {
    return names().stream().map(ExampleFiles::path).toList();
  }

  static String text(String name) {
    try {
      return Files.readString(path(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
