package dev.hapax.flows.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any file is read without a crash, and its problems are in our words, never a parser's. */
@Tag("simulation")
class MutatedFilesTest {
  private static final Path FILES =
      Path.of(System.getProperty("basedir", "."))
          .resolve("src/test/resources/dev/hapax/flows/good");
  private static final List<String> PIECES =
      List.of(
          "${",
          "}",
          ": ",
          "- ",
          "{",
          "[",
          "]",
          "\"",
          "'",
          "\n",
          "&a ",
          "*a",
          "null",
          "~",
          "!!str ",
          "${input.",
          "steps",
          "-1",
          "1e999999999",
          "\t",
          "#",
          "|",
          ">",
          "%",
          "@",
          "\u0000",
          "\ud800",
          "${now()}",
          "? ",
          "<<: ",
          "0x1f",
          "true",
          "..",
          "---");

  /** Words of the YAML parser, of the expression compiler and of the schema library. */
  private static final Pattern PARSERS =
      Pattern.compile(
          "expecting|<EOF>|token|overload|while (scanning|parsing)|end of stream|node content|block end"
              + "|mismatched|extraneous|viable|undeclared|undefined|candidates|Exception|recursion|null pointer");

  @Test
  void mutated_files_never_break_the_reader() throws IOException {
    int rounds = Integer.getInteger("hapax.mutations", 300);
    for (String name : List.of("order-to-invoice.yaml", "every-kind.yaml")) {
      String text = Files.readString(FILES.resolve(name));
      for (int seed = 0; seed < rounds; seed++) {
        String mutated = mutate(text, new Random(seed));
        try {
          for (Finding finding : Check.check(name, mutated).findings()) {
            assertThat(PARSERS.matcher(finding.message()).find()).as("%s", finding).isFalse();
          }
        } catch (RuntimeException | StackOverflowError e) {
          fail("seed %d of %s:\n%s".formatted(seed, name, mutated), e);
        }
      }
    }
  }

  private static String mutate(String text, Random random) {
    String mutated = text;
    for (int i = random.nextInt(4); i >= 0; i--) {
      mutated =
          switch (random.nextInt(5)) {
            case 0 -> cut(mutated, random);
            case 1 -> insert(mutated, random);
            case 2 -> swapLines(mutated, random);
            case 3 -> dropLine(mutated, random);
            default -> copyPart(mutated, random);
          };
    }
    return mutated;
  }

  private static String cut(String text, Random random) {
    int from = random.nextInt(text.length());
    int to = Math.min(text.length(), from + random.nextInt(20));
    return text.substring(0, from) + text.substring(to);
  }

  private static String insert(String text, Random random) {
    int at = random.nextInt(text.length());
    return text.substring(0, at) + PIECES.get(random.nextInt(PIECES.size())) + text.substring(at);
  }

  private static String swapLines(String text, Random random) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
    java.util.Collections.swap(lines, random.nextInt(lines.size()), random.nextInt(lines.size()));
    return String.join("\n", lines);
  }

  private static String dropLine(String text, Random random) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
    lines.remove(random.nextInt(lines.size()));
    return String.join("\n", lines);
  }

  private static String copyPart(String text, Random random) {
    int from = random.nextInt(text.length());
    int to = Math.min(text.length(), from + random.nextInt(60));
    int at = random.nextInt(text.length());
    return text.substring(0, at) + text.substring(from, to) + text.substring(at);
  }
}
