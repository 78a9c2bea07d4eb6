package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of attacks in {@code docs/operate/security.md}: {@code | attack | attempts | test |}.
 * Every attack test compares its own row with the number of attempts that it made. With {@code
 * -Dhapax.golden=write} it writes the row instead: a new route, for example, changes some numbers.
 */
public final class AttackTable {
  private static final Path PAGE = Path.of("../docs/operate/security.md");

  private AttackTable() {}

  /** The test made this many attempts, and none of them got through. */
  public static void held(Class<?> test, String attack, int attempts) throws IOException {
    String row = "| %s | %,d | `%s` |".formatted(attack, attempts, test.getSimpleName());
    if ("write".equals(System.getProperty("hapax.golden"))) {
      write(attack, row);
    }
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> isAbout(attack, line)).toList();
    assertThat(rows)
        .as("the row in docs/operate/security.md, under \"Attacks that are tested\"")
        .containsExactly(row);
  }

  private static boolean isAbout(String attack, String line) {
    return line.startsWith("| " + attack + " |");
  }

  private static synchronized void write(String attack, String row) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(PAGE));
    boolean isThere = lines.stream().anyMatch(line -> isAbout(attack, line));
    lines.replaceAll(line -> isAbout(attack, line) ? row : line);
    if (!isThere) {
      lines.add(row);
    }
    Files.write(PAGE, lines);
  }
}
