package dev.hapax.app.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The guides of the program are the pages of the documentation. */
class GuidesTest {
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", "app")).resolve("../docs").normalize();

  @Test
  void every_page_is_a_guide_and_every_guide_is_a_page() throws IOException {
    var pages = new TreeSet<String>();
    for (String folder : new String[] {"flows", "start", "operate", "reference"}) {
      try (Stream<Path> files = Files.list(DOCS.resolve(folder))) {
        files
            .map(file -> folder + "/" + file.getFileName())
            .filter(name -> name.endsWith(".md") && !name.endsWith("README.md"))
            .forEach(name -> pages.add(name.substring(0, name.length() - 3)));
      }
    }

    assertThat(Guides.TOPICS).containsExactlyInAnyOrderElementsOf(pages);
  }
}
