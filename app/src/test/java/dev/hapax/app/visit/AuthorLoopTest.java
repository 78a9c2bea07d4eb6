package dev.hapax.app.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/start/author.md} works as it is written: every command is typed, every file is saved,
 * and every output is as shown. With {@code -Dhapax.golden=write} the outputs are written anew.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
@Order(1)
class AuthorLoopTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "app"))
          .toAbsolutePath()
          .resolveSibling("docs")
          .resolve("start/author.md");

  @TempDir private Path folder;

  @Test
  void an_author_who_types_what_the_page_says_sees_what_it_shows() throws IOException {
    var followed = new ArrayList<Tutorial.Part>();

    try (var shell = new Shell(folder)) {
      for (Tutorial.Part part : Tutorial.read(PAGE).parts()) {
        followed.add(
            switch (part) {
              case Tutorial.Prose _ -> part;
              case Tutorial.Saved saved -> {
                Path file = folder.resolve(saved.name());
                Files.createDirectories(file.resolveSibling(""));
                Files.writeString(file, saved.text());
                yield part;
              }
              case Tutorial.Typed(var line, _) -> typed(shell, line);
            });
      }
    }

    List<String> page = Tutorial.page(followed);
    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.write(PAGE, page);
    } else {
      assertThat(masked(page))
          .zipSatisfy(
              masked(Files.readAllLines(PAGE)), (now, shown) -> assertThat(now).isEqualTo(shown));
    }
  }

  /** A command that refuses or fails on purpose shows its exit code. */
  private static Tutorial.Typed typed(Shell shell, String line) throws IOException {
    Shell.Said said = shell.type(line);
    var shown = new ArrayList<>(FirstVisitTest.kept(said.lines()));
    if (said.exit() != 0) {
      shown.add("(exit %d)".formatted(said.exit()));
    }
    return new Tutorial.Typed(line, shown.stream().map(String::stripTrailing).toList());
  }

  /**
   * Times, durations, made-up secrets and the counts of a proof differ from run to run. A run that
   * is not awaited may be on its way to its wait, and duplicates are counted a moment later.
   */
  private static List<String> masked(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.startsWith("  due "))
        .map(FirstVisitTest::masked)
        .map(line -> line.replaceAll("status  (waiting|running)", "status  open"))
        .map(line -> line.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "TIME"))
        .map(line -> line.replaceAll("\\b[0-9a-f]{64}\\b", "SECRET"))
        .map(line -> line.replaceAll("TIME  TIME  \\d$", "TIME  TIME  N"))
        .map(line -> line.replaceAll("\\d+ runs, disturbed at \\d+ commits", "N runs"))
        .map(line -> line.replaceAll("answer \\d+.*", "SETTLED"))
        .map(line -> line.replaceAll("\\b\\d+(\\.\\d+)? ?(ms|s)\\b", "N s"))
        .toList();
  }
}
