package dev.hapax.app.attack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Values that would forge a line of a log, or move the cursor of the person who reads it. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class ForgedTextAttackTest {
  private static final Pattern DECEPTIVE =
      Pattern.compile("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]");

  private static final List<String> FLOWS =
      List.of(
          "flow: broken\nsteps:\n  - {id: end, fail: {code: hostile, message: \"${input.v}\"}}\n",
          "flow: question\nkey: ${input.v}\nsteps:\n  - {id: ask, approval: {ask: \"${input.v}\"}}\n");

  @TempDir private Path folder;

  @Test
  void no_value_forges_what_the_command_line_shows() throws Exception {
    int attempts = 0;
    try (var server = new TestServer(folder)) {
      FLOWS.forEach(server::release);
      List<List<String>> commands = new ArrayList<>(LISTS);
      for (String lineBreak : LineBreaks.ALL) {
        List<List<String>> shows = spread(server, LineBreaks.attack(lineBreak));
        if (DECEPTIVE.matcher(lineBreak).find() || lineBreak.contains("\n")) {
          commands.addAll(shows);
        }
      }
      for (List<String> command : commands) {
        boolean isList = LISTS.contains(command);
        for (boolean isTerminal : isList ? List.of(true, false) : List.of(true)) {
          String shown = hapax(server, isTerminal, command);
          assertThat(DECEPTIVE.matcher(shown).find())
              .as("%s: %s", command, Json.write(shown))
              .isFalse();
          assertThat(shown.lines().filter(line -> line.startsWith("X-Injected")))
              .as("%s: %s", command, shown)
              .isEmpty();
          attempts++;
        }
      }
      assertAuditIsWhole(server);
    }
    AttackTable.held(
        ForgedTextAttackTest.class, "Escapes and line breaks on the command line", attempts);
  }

  private static final List<List<String>> LISTS =
      List.of(
          List.of("runs", "list", "--limit", "200"),
          List.of("tokens", "list", "--limit", "200"),
          List.of("approvals", "list", "--limit", "200"),
          List.of("connections", "list"),
          List.of("kv", "list"),
          List.of("audit", "list", "--limit", "200"));

  /** Puts the value wherever a caller may, and returns the commands that show it. */
  private static List<List<String>> spread(TestServer server, String forged) {
    var commands = new ArrayList<List<String>>();
    String input = Json.write(Map.of("v", forged));
    for (String flow : List.of("broken", "question")) {
      String path = "/api/flows/" + flow + "/runs";
      Reply started =
          flow.equals("broken")
              ? server.post(path, input, "Prefer", "wait=20")
              : server.post(path, input);
      if (started.status() < 300) {
        String id = started.at("/id");
        server.post("/api/runs/" + id + "/cancel", Json.write(Map.of("reason", forged)));
        commands.add(List.of("explain", id));
        if (flow.equals("question")) {
          commands.add(List.of("runs", "show", id));
          commands.add(List.of("runs", "history", id));
        }
      }
    }
    server.post("/api/tokens", Json.write(Map.of("name", forged, "scopes", List.of("runs:read"))));
    server.put("/api/kv/hostile", Json.write(Map.of("value", forged)));
    server.put(
        "/api/connections/forged",
        Json.write(
            Map.of(
                "http", Map.of("base", "https://shop.example", "headers", Map.of("X", forged)))));
    commands.add(List.of("kv", "get", "hostile"));
    commands.add(List.of("connections", "show", "forged"));
    commands.add(List.of("runs", "show", "no" + forged));
    return commands;
  }

  private String hapax(TestServer server, boolean isTerminal, List<String> arguments) {
    var said = new ByteArrayOutputStream();
    var out = new PrintStream(said, true, UTF_8);
    var place =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            out,
            out,
            isTerminal,
            Map.of(
                "HAPAX_URL", server.address().toString(),
                "HAPAX_TOKEN", server.token(),
                "NO_COLOR", "1"),
            folder,
            _ -> null);
    new Cli(Main.verbs(), place).run(arguments.toArray(String[]::new));
    return said.toString(UTF_8);
  }

  /** Each line of the export is one line of the log. */
  private static void assertAuditIsWhole(TestServer server) throws Exception {
    String exported;
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = server.request("/api/audit/export").GET().build();
      exported = client.send(request, BodyHandlers.ofString()).body();
      client.shutdownNow();
    }
    List<String> lines = List.of(exported.stripTrailing().split("\n", -1));
    for (int i = 0; i < lines.size() - 1; i++) {
      assertThat(Json.tree(lines.get(i)).path("number").asLong()).isEqualTo(i + 1);
      assertThat(lines.get(i)).doesNotContain("\r");
    }
    assertThat(lines.size()).isGreaterThan(LineBreaks.ALL.size());
    assertThat(lines.getLast()).contains("checkpoint");
  }

  /** A process with the log of the server, in which these values are logged. */
  public static final class Talker {
    private Talker() {}

    public static void main(String[] arguments) {
      Logger log = LoggerFactory.getLogger("dev.hapax.attack");
      for (String lineBreak : LineBreaks.ALL) {
        String forged = LineBreaks.attack(lineBreak);
        log.warn("refused: {}", forged);
        log.warn("refused: {}", forged, new IllegalStateException(forged, new IOException(forged)));
      }
      log.warn("Grüße 漢字 😀");
    }
  }

  @Test
  void no_value_begins_a_line_of_the_servers_log() throws Exception {
    try (var talker =
        ChildProcess.start(
            folder,
            Talker.class,
            List.of("-Dlogback.configurationFile=logback.xml", "-Dstderr.encoding=UTF-8"),
            List.of())) {
      talker.awaitExit(Duration.ofSeconds(60));
    }
    List<String> lines;
    try (var files = Files.list(folder)) {
      Path log = files.filter(file -> file.toString().endsWith(".err")).findFirst().orElseThrow();
      lines = List.of(Files.readString(log).stripTrailing().split("\n", -1));
    }

    int values = 2 * LineBreaks.ALL.size();
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(DECEPTIVE.matcher(line.replace("\t", "")).find()).as(line).isFalse();
              assertThat(line).matches("\\d{4}-\\d\\d-\\d\\dT\\d.* WARN  .* - .*|  .*|");
            });
    assertThat(lines.stream().filter(line -> line.contains(" - refused: a"))).hasSize(values);
    assertThat(lines.size()).as("with stack traces").isGreaterThan(2 * values);
    assertThat(lines.getLast()).contains("Grüße 漢字 😀");
    AttackTable.held(ForgedTextAttackTest.class, "Forged lines of the server's log", values);
  }
}
