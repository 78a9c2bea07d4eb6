package dev.hapax.flows.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every key of a flow file is shown by a file of {@code examples/flows}, which a test runs. */
class ExampleKeysTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", ".")).resolve("../examples/flows");

  /** What the reader knows and a later part carries out. */
  private static final Set<String> LATER = Set.of("llm", "ssh", "queue");

  @Test
  void every_key_is_in_an_example() throws IOException {
    var keys = new WrittenKeys();
    for (Path file : files()) {
      keys.read(Files.readString(file));
    }

    Set<String> missing = WrittenKeys.all();
    missing.removeIf(ExampleKeysTest::isLater);
    missing.removeAll(keys.written());
    missing.removeIf(key -> keys.written().contains(asOfSteps(key)));
    assertThat(missing).isEmpty();
  }

  /** The request of a lookup has the keys of the request of a step, and the same reader. */
  private static String asOfSteps(String key) {
    return key.startsWith("lookup-http.") ? key.substring("lookup-".length()) : key;
  }

  private static boolean isLater(String key) {
    return List.of(key.split("\\.", 2)).stream().anyMatch(LATER::contains);
  }

  private static List<Path> files() throws IOException {
    try (var all = Files.walk(EXAMPLES)) {
      return all.filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.toString().endsWith(".test.yaml")) // cases, not flows
          .sorted()
          .toList();
    }
  }
}
