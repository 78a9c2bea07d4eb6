package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.format.FlowFormatter;
import dev.hapax.flows.skeleton.CrontabImport;
import dev.hapax.flows.skeleton.ImportedFlows;
import dev.hapax.flows.skeleton.N8nImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages for people who come from elsewhere: their flows are valid, their imports are real. */
class ComingFromPagesTest {
  private static final Path PAGES =
      Path.of(System.getProperty("basedir", ".")).resolve("../docs/start").normalize();
  private static final Pattern BLOCK = Pattern.compile("```yaml\\n(flow: .*?)```", Pattern.DOTALL);
  private static final Pattern IMPORT =
      Pattern.compile(
          "```(crontab|json)\\n(.*?)```(\\n\\n<!-- imported -->\\n\\n)```yaml\\n.*?```",
          Pattern.DOTALL);

  @Test
  void each_flow_on_a_page_checks_clean() throws IOException {
    for (Path page : pages()) {
      Matcher blocks = BLOCK.matcher(Files.readString(page));
      while (blocks.find()) {
        assertThat(Check.check(page.toString(), blocks.group(1)).text()).isEmpty();
        assertThat(FlowFormatter.format("f.yaml", blocks.group(1)).text())
            .isEqualTo(blocks.group(1));
      }
    }
    assertThat(pages()).hasSize(4);
  }

  @Test
  void each_import_on_a_page_is_what_the_program_writes() throws IOException {
    int imports = 0;
    for (Path page : pages()) {
      String text = Files.readString(page);
      String made = IMPORT.matcher(text).replaceAll(ComingFromPagesTest::imported);
      imports += (int) IMPORT.matcher(text).results().count();
      if (Boolean.getBoolean("hapax.write")) {
        Files.writeString(page, made);
      }

      assertThat(Files.readString(page))
          .as("%s; write it anew with -Dhapax.write=true", page)
          .isEqualTo(made);
    }
    assertThat(imports).isEqualTo(2);
  }

  private static String imported(MatchResult found) {
    ImportedFlows flows =
        found.group(1).equals("json")
            ? N8nImport.of("workflow.json", found.group(2))
            : CrontabImport.of("crontab.txt", found.group(2), false);
    return Matcher.quoteReplacement(
        "```%s\n%s```%s```yaml\n%s```"
            .formatted(
                found.group(1), found.group(2), found.group(3), flows.flows().getFirst().text()));
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.list(PAGES)) {
      return all.filter(page -> page.getFileName().toString().startsWith("from-"))
          .sorted()
          .toList();
    }
  }
}
