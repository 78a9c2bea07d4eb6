package dev.hapax.app.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/start/server.md} works as it is written, and {@code docs/start/first-visit.txt} is
 * what its reader sees. With {@code -Dhapax.golden=write} the transcript is written anew.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class FirstVisitTest {
  private static final Path REPOSITORY =
      Path.of(System.getProperty("basedir", "app")).toAbsolutePath().resolveSibling("");

  private static final Path TRANSCRIPT = REPOSITORY.resolve("docs/start/first-visit.txt");

  @TempDir private Path folder;

  @Test
  void a_newcomer_who_types_what_the_page_says_sees_what_it_shows() throws IOException {
    Page page = Page.read(REPOSITORY.resolve("docs/start/server.md"));
    var seen = new ArrayList<String>();

    try (var shell = new Shell(folder)) {
      for (Page.Command command : page.commands()) {
        Shell.Said said = shell.type(command.line());
        seen.add("$ " + command.line());
        seen.addAll(said.lines());
        if (said.exit() != 0) {
          seen.add("(exit " + said.exit() + ")");
        }
        seen.add("");
        if (!command.shown().isEmpty()) {
          assertThat(everywhere(said.lines())).isEqualTo(everywhere(command.shown()));
        }
      }
    }

    if ("write".equals(System.getProperty("hapax.golden"))) {
      Files.write(TRANSCRIPT, kept(seen));
    } else {
      assertThat(everywhere(seen))
          .zipSatisfy(
              everywhere(Files.readAllLines(TRANSCRIPT)),
              (now, tracked) -> assertThat(now).isEqualTo(tracked));
    }
  }

  @Test
  void what_the_readme_says_to_type_is_on_the_page_too() throws IOException {
    Set<String> followed = typed(REPOSITORY.resolve("docs/start/server.md"));

    assertThat(typed(REPOSITORY.resolve("README.md")))
        .filteredOn(line -> line.startsWith("./hapax") && !line.equals("./hapax demo"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(followed).contains(line));
  }

  private static Set<String> typed(Path page) throws IOException {
    return Page.read(page).commands().stream().map(Page.Command::line).collect(Collectors.toSet());
  }

  /** For the reader: where a server usually listens, and no token, not even a dead one. */
  static List<String> kept(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.matches("sh: .*(Killed|Terminated).*")) // some shells tell of it
        .map(line -> line.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:8899"))
        .map(line -> line.replaceAll("hapax_\\w{20,}", "hapax_…"))
        .toList();
  }

  /**
   * What is the same on every machine and in every hour. A start that does not wait is answered
   * while the run is on its way, so how far it has come is left out; duplicates are counted after
   * their answer, and a killed server may not have come to it.
   */
  private static List<String> everywhere(List<String> lines) {
    var same = new ArrayList<String>();
    boolean waits = true;
    for (String line : kept(lines)) {
      waits = line.startsWith("$ ") ? !line.contains(" run ") || line.contains("--wait") : waits;
      if (waits || !line.matches("  (status|ended|output) .*")) {
        same.add(masked(line));
      }
    }
    same.removeIf(
        line ->
            line.matches(
                "  (due|duplicates)  .*|.* duplicates? w(as|ere) stopped .*|  Duplicate at .*"));
    return same;
  }

  static String masked(String line) {
    return line.replaceAll(" {2,}", "  ")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "TIME")
        .replaceAll("\\be-[a-z0-9]{12}\\b", "EFFECT")
        .replaceAll("token:[a-z0-9]{13}", "TOKEN")
        .replaceAll("release \\d{4,}", "release DRAFT")
        .replaceAll("version \\d+", "version N")
        .replaceAll("  \\d+$", "  N");
  }
}
