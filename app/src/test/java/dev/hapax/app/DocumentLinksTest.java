package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A page that points at a file that is not there sends its reader away. */
class DocumentLinksTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "app")).toAbsolutePath().resolveSibling("");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern SOURCE = Pattern.compile("`(\\w+)/…/([\\w/]+\\.java)`");

  @Test
  void every_link_of_a_page_leads_to_a_file() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = LINK.matcher(FENCED.matcher(Files.readString(page)).replaceAll(""));
      while (link.find()) {
        String target = link.group(1);
        if (!target.contains(":") && !Files.exists(page.resolveSibling(target))) {
          broken.add(ROOT.relativize(page) + " -> " + target);
        }
      }
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void contributing_names_files_that_exist() throws IOException {
    Matcher source = SOURCE.matcher(Files.readString(ROOT.resolve("CONTRIBUTING.md")));
    List<Path> named = new ArrayList<>();
    while (source.find()) {
      named.add(
          ROOT.resolve(source.group(1))
              .resolve("src/main/java/dev/hapax")
              .resolve(source.group(2)));
    }

    assertThat(named).hasSizeGreaterThan(20).allMatch(Files::exists);
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> above = Files.list(ROOT);
        Stream<Path> below = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(above, below)
          .filter(path -> path.toString().endsWith(".md"))
          .forEach(pages::add);
    }
    return pages;
  }
}
