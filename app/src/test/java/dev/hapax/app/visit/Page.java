package dev.hapax.app.visit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the documentation as a list of commands.
 *
 * @param commands the lines of its blocks of {@code sh}, in their order
 */
record Page(List<Command> commands) {
  private static final String FENCE = "```";

  /**
   * A line that the reader types.
   *
   * @param shown what the page shows as its output; empty if it shows none
   */
  record Command(String line, List<String> shown) {}

  static Page read(Path file) throws IOException {
    var commands = new ArrayList<Command>();
    String fence = null;
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(FENCE)) {
        fence = fence == null ? line : null;
      } else if (isCommand(fence, line)) {
        commands.add(new Command(line.replaceFirst("\\s+# .*", ""), new ArrayList<>()));
      } else if (FENCE.equals(fence) && !commands.isEmpty()) {
        commands.getLast().shown().add(line);
      }
    }
    return new Page(commands);
  }

  private static boolean isCommand(@Nullable String fence, String line) {
    return (FENCE + "sh").equals(fence) && !line.isBlank();
  }
}
