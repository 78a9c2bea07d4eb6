package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Compares what a person sees of a run's state with the golden file of that state; with {@code
 * -Dhapax.golden=write} the files are written anew.
 */
final class ExplainGolden {
  private static final boolean WRITE = "write".equals(System.getProperty("hapax.golden"));
  private static final Pattern ID = Pattern.compile("\\b([rew])-[0-9a-z]{6,}\\b");
  private static final Pattern WIRE_KEY = Pattern.compile("\\b[a-z2-7]{32}\\b");
  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");

  private static final Pattern PROCESS = Pattern.compile("\\bprocess [0-9a-f]{8,16}\\b");

  private final Map<String, String> names = new LinkedHashMap<>();

  /** Returns what {@code hapax explain} printed, as it is. */
  String explained(TypedDesk desk, String state, String run) throws IOException {
    TypedDesk.Seen seen = desk.hapax("explain", run);
    assertThat(seen.exit()).as(seen.text()).isZero();
    compare(state, seen.text());
    return seen.text();
  }

  void compare(String state, String seen) throws IOException {
    String text = named(seen);
    Path file =
        Path.of(System.getProperty("basedir", "app"))
            .toAbsolutePath()
            .resolve("src/test/resources/dev/hapax/app/golden/explain/" + state + ".txt");
    if (WRITE) {
      Files.writeString(file, text);
    }
    assertThat(text).as(state).isEqualTo(Files.readString(file));
  }

  /** Ids and times differ from run to run. */
  private String named(String text) {
    String plain =
        ID.matcher(TIME.matcher(text).replaceAll("<time>"))
            .replaceAll(
                found ->
                    names.computeIfAbsent(
                        found.group(), _ -> found.group(1) + "-" + (names.size() + 1)));
    plain = PROCESS.matcher(plain).replaceAll("process <id>");
    return WIRE_KEY.matcher(plain).replaceAll("<wire key>").replaceAll("[ ]+\\n", "\n");
  }
}
