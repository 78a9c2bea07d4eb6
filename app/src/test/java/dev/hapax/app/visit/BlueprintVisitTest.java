package dev.hapax.app.visit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The last commands of a blueprint's page in a real shell, with {@code hapax dev} as a process of
 * its own. {@code BlueprintPagesTest} follows the pages of all blueprints in one process.
 */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class BlueprintVisitTest {
  private static final Pattern COMMAND = Pattern.compile("(?m)^hapax ((?:run|dev requests)\\b.*)$");
  private static final Pattern TABLE = Pattern.compile("(?ms)^```text\n(.*?)^```");

  @TempDir Path folder;

  @Test
  void an_answer_that_is_lost_leads_to_one_effect() throws IOException {
    try (var shell = new Shell(folder)) {
      assertThat(shell.type("./hapax init --blueprint charge-order").exit()).isZero();
      shell.type("./hapax dev charge-order --port 0 > dev.log &");
      assertThat(shell.type("cd charge-order").exit()).isZero();
      String page = Files.readString(folder.resolve("charge-order/README.md"));
      List<String> commands = COMMAND.matcher(page).results().map(found -> found.group(1)).toList();
      Matcher table = TABLE.matcher(page);
      assertThat(commands).hasSize(3);
      assertThat(table.find()).isTrue();

      List<String> last = List.of();
      for (String command : commands) {
        Shell.Said said = shell.type("../hapax " + command);
        assertThat(said.exit()).as("%s: %s", command, said.lines()).isZero();
        last = said.lines().stream().map(String::stripTrailing).toList();
      }

      assertThat(last).containsAll(table.group(1).lines().toList());
    }
  }
}
