package dev.hapax.flows.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.ExampleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every key of a flow file is shown by an example, which a test runs. */
class ExampleKeysTest {
  @Test
  void every_key_is_in_an_example() throws IOException {
    var keys = new WrittenKeys();
    for (Path file : ExampleFiles.paths()) {
      keys.read(Files.readString(file));
    }

    Set<String> missing = WrittenKeys.all();
    missing.removeAll(keys.written());
    missing.removeIf(key -> keys.written().contains(asOfSteps(key)));
    assertThat(missing).isEmpty();
  }

  /** The request of a lookup has the keys of the request of a step, and the same reader. */
  private static String asOfSteps(String key) {
    return key.startsWith("lookup-http.") ? key.substring("lookup-".length()) : key;
  }
}
