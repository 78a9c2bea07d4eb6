package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.check.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of {@code docs/flows} show the example files as they are, and all of them. */
class FlowPagesTest {
  private static final Path PAGES =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/flows").normalize();

  /** An example's place in a page, and the block behind it if there is one. */
  private static final Pattern SHOWN =
      Pattern.compile(
          "<!-- examples/((?:flows|blueprints)/\\S+) -->\\n(?:\\n```yaml\\n.*?```\\n)?",
          Pattern.DOTALL);

  private static final Pattern BLOCK = Pattern.compile("```yaml\\n(flow: .*?)```", Pattern.DOTALL);

  @Test
  void each_page_shows_its_examples_as_they_are() throws IOException {
    for (Path page : pages()) {
      String text = Files.readString(page);
      String made = SHOWN.matcher(text).replaceAll(FlowPagesTest::shown);
      if (Boolean.getBoolean("hapax.write")) {
        Files.writeString(page, made);
      }

      assertThat(Files.readString(page))
          .as("%s; write it anew with -Dhapax.write=true", page)
          .isEqualTo(made);
    }
  }

  private static String shown(MatchResult place) {
    return Matcher.quoteReplacement(
        "<!-- examples/%s -->\n\n```yaml\n%s```\n"
            .formatted(place.group(1), ExampleFiles.text(name(place))));
  }

  private static String name(MatchResult place) {
    return place.group(1).replaceFirst("^flows/", "");
  }

  @Test
  void each_example_is_on_a_page() throws IOException {
    var shown = new ArrayList<String>();
    for (Path page : pages()) {
      SHOWN.matcher(Files.readString(page)).results().forEach(place -> shown.add(name(place)));
    }

    assertThat(shown).containsExactlyInAnyOrderElementsOf(ExampleFiles.names());
  }

  @Test
  void each_flow_on_a_page_checks_clean() throws IOException {
    for (Path page : pages()) {
      Matcher blocks = BLOCK.matcher(Files.readString(page));
      while (blocks.find()) {
        assertThat(Check.check(page.toString(), blocks.group(1)).text()).isEmpty();
      }
    }
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.list(PAGES)) {
      return all.filter(page -> page.toString().endsWith(".md")).sorted().toList();
    }
  }
}
