package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.dev.DevAllowList;
import dev.hapax.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Every command of the page of every folder in {@code examples/blueprints}, in the order of the
 * page, in the folder that {@code hapax init} writes: each boundary is proven, the stand-in loses
 * answers, and its books agree afterwards. {@code -Dhapax.golden=write} writes the tables of the
 * pages anew.
 */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class BlueprintPagesTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", ".")).resolve("../examples/blueprints");
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\n(.*?)^```");
  private static final Pattern TABLE = Pattern.compile("(?ms)^```text\n(.*?)^```");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern OTHER_EXIT = Pattern.compile("\\(exit code (\\d)\\)");
  private static final Pattern OF_SCHEDULE = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:");
  private static final Pattern MESSAGE = Pattern.compile("\\b[a-z2-7]{32}\\b");
  private static final Set<String> AT_REST =
      Set.of("succeeded", "partial", "compensated", "waiting");

  @TempDir Path home;

  static List<String> names() throws IOException {
    try (Stream<Path> folders = Files.list(EXAMPLES)) {
      return folders
          .filter(Files::isDirectory)
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  private record Said(int exit, String out, String err) {}

  /** A terminal in a folder, whose server has another port than on the page. */
  private record Desk(Path folder, String url) {}

  @ParameterizedTest
  @MethodSource("names")
  void every_command_of_its_page_is_followed_and_the_books_agree(String name) throws IOException {
    assertThat(hapax(new Desk(home, ""), List.of("init", "--blueprint", name)).exit()).isZero();
    Path folder = home.resolve(name);
    Map<String, String> files = filesIn(folder);
    assertThat(files.remove("AGENTS.md")).as("what init writes into every folder").isNotNull();
    assertThat(files).isEqualTo(filesIn(EXAMPLES.resolve(name)));
    String page = Files.readString(folder.resolve("README.md"));
    List<String> commands = commandsOf(page);
    assertThat(commands).contains("hapax test .", "hapax prove . --every --strict", "hapax dev");

    DevServer server = null;
    var desk = new Desk(folder, "");
    try {
      for (String command : commands) {
        if (command.equals("hapax dev")) {
          server = serve(folder);
          desk = new Desk(folder, server.address().toString());
        } else {
          Said said = follow(desk, command);
          assertThat(said.exit())
              .as("%s: %s %s", command, said.out(), said.err())
              .isIn(exitsOf(page));
        }
      }

      demandAgreement(name, desk, page, commands);
    } finally {
      if (server != null) {
        server.close();
      }
    }
  }

  private static DevServer serve(Path folder) throws IOException {
    return DevServer.start(
        new DevServer.Wish(folder, 0, false, DevAllowList.of(List.of()), false), DevDesk.nowhere());
  }

  private static List<String> commandsOf(String page) {
    return BLOCK
        .matcher(page)
        .results()
        .flatMap(block -> block.group(1).lines())
        .filter(line -> !line.isBlank())
        .toList();
  }

  /** A page says which commands do not end with 0. */
  private static List<Integer> exitsOf(String page) {
    var exits = new ArrayList<>(List.of(0));
    OTHER_EXIT.matcher(page).results().forEach(exit -> exits.add(Integer.parseInt(exit.group(1))));
    return exits;
  }

  // ---- the books

  /** Retries go on after the last command: the last ones are typed again until all is at rest. */
  private static void demandAgreement(String name, Desk desk, String page, List<String> commands)
      throws IOException {
    Matcher shown = TABLE.matcher(page);
    assertThat(shown.find()).as("a table of effects").isTrue();
    List<String> again =
        commands.stream().filter(command -> command.startsWith("hapax dev clock")).toList();
    boolean isWritten = "write".equals(System.getProperty("hapax.golden"));
    long end = System.nanoTime() + (isWritten ? Duration.ofSeconds(15) : LONGEST).toNanos();
    String table;
    do {
      for (String command : again) {
        follow(desk, command);
      }
      boolean isAtRest = isAtRest(desk);
      table = effects(follow(desk, "hapax dev requests").out());
      if (isAtRest && isEqual(table, shown.group(1))) {
        break;
      }
    } while (System.nanoTime() < end);
    if (isWritten) {
      Path file = EXAMPLES.resolve(name).resolve("README.md");
      Files.writeString(
          file, page.substring(0, shown.start(1)) + table + page.substring(shown.end(1)));
    } else {
      assertThat(table).matches(found -> isEqual(found, shown.group(1)), shown.group(1));
    }
    demandEachLostAnswerOnce(desk);
  }

  /** Rows that are left out can make columns wider. */
  private static boolean isEqual(String table, String shown) {
    return table.replaceAll(" +", " ").equals(shown.replaceAll(" +", " "));
  }

  private static boolean isAtRest(Desk desk) throws IOException {
    JsonNode runs =
        Json.tree(follow(desk, "hapax runs list --json --data .hapax-dev").out()).at("/data/items");
    return !runs.isEmpty()
        && runs.valueStream().allMatch(run -> AT_REST.contains(run.path("status").asString()));
  }

  /**
   * Parallel steps are sent in any order. The clock may pass a time at which a schedule is due. The
   * ids of messages differ.
   */
  private static String effects(String requests) {
    int start = requests.indexOf("EFFECT ");
    List<String> lines =
        MESSAGE
            .matcher(requests.substring(Math.max(start, 0)))
            .replaceAll("…")
            .lines()
            .map(String::stripTrailing)
            .toList();
    return Stream.concat(
            lines.stream().limit(1),
            lines.stream().skip(1).filter(line -> !OF_SCHEDULE.matcher(line).find()).sorted())
        .reduce("", (all, line) -> all + line + "\n");
  }

  private static void demandEachLostAnswerOnce(Desk desk) throws IOException {
    JsonNode all = Json.tree(follow(desk, "hapax dev requests --json").out()).path("data");
    List<String> lost =
        all.path("requests")
            .valueStream()
            .filter(request -> request.path("fault").asString().equals("applied-then-lost"))
            .map(request -> request.path("step").asString())
            .toList();
    assertThat(lost).isNotEmpty();
    for (JsonNode effect : all.path("effects")) {
      if (lost.contains(effect.path("step").asString())) {
        assertThat(effect.path("applied").asInt()).as("%s", effect).isEqualTo(1);
      }
      assertThat(effect.path("applied").asInt()).as("%s", effect).isLessThanOrEqualTo(1);
    }
  }

  // ---- a terminal in the folder

  private static Said follow(Desk desk, String command) throws IOException {
    List<String> words =
        new ArrayList<>(
            WORD.matcher(command)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList());
    assertThat(words.removeFirst()).isEqualTo("hapax");
    Path into = null;
    if (words.size() > 2 && words.get(words.size() - 2).equals(">")) {
      into = desk.folder().resolve(words.removeLast());
      words.removeLast();
    }
    Said said = hapax(desk, words);
    if (into != null) {
      Files.writeString(into, said.out());
    }
    return said;
  }

  private static Said hapax(Desk desk, List<String> words) throws IOException {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    try (var stream = new PrintStream(out, true, UTF_8);
        var errors = new PrintStream(err, true, UTF_8)) {
      var place =
          new Surroundings(
              InputStream.nullInputStream(),
              stream,
              errors,
              true,
              Map.of("HOME", desk.folder().toString(), "HAPAX_URL", desk.url(), "NO_COLOR", "1"),
              desk.folder());
      int exit = new Cli(Main.verbs(), place).run(words.toArray(String[]::new));
      return new Said(exit, out.toString(UTF_8), err.toString(UTF_8));
    }
  }

  private static Map<String, String> filesIn(Path folder) throws IOException {
    var files = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString();
        if (!name.startsWith(".")) {
          files.put(name, Files.readString(file));
        }
      }
    }
    return files;
  }
}
