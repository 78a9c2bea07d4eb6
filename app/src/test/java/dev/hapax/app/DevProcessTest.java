package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code hapax dev} as a process that is killed, and one that is asked to stop. */
@Tag("crash")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevProcessTest {
  private static final String NAP =
      """
      flow: nap
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: sleep
          wait: {for: 1d}
      output: {awake: true}
      """;

  @TempDir private Path home;

  @Test
  void a_killed_server_continues_its_runs_when_it_is_started_again() throws Exception {
    Path flows = Files.createDirectory(home.resolve("flows"));
    Files.writeString(flows.resolve("nap.yaml"), NAP);
    String run;
    try (ChildProcess first = dev(flows)) {
      run =
          hapax("run", "nap", "--input", "{\"id\": \"A-1\"}", "--wait=0").at("/data/id").asString();
      first.kill();
    }

    try (ChildProcess second = dev(flows)) {
      hapax("dev", "clock", "+1d");
      JsonNode awake = hapax("runs", "show", run, "--wait");
      second.say("stop");
      int exit = second.awaitExit(ServerCalls.LONG);

      assertThat(awake.at("/data/status").asString()).isEqualTo("succeeded");
      assertThat(exit).isZero();
      assertThat(flows.resolve(".hapax-dev/dev.json")).doesNotExist();
    }
  }

  private ChildProcess dev(Path flows) throws Exception {
    ChildProcess process =
        ChildProcess.start(
            home, ServerProcess.class, List.of(), List.of("dev", flows.toString(), "--port", "0"));
    process.awaitLine(line -> line.startsWith("{"), ServerCalls.LONG);
    return process;
  }

  /** The verbs of {@code dev} find the server by themselves; the others are told where it is. */
  private JsonNode hapax(String... args) throws Exception {
    Path data = home.resolve("flows/.hapax-dev");
    String url = Json.tree(Files.readString(data.resolve("dev.json"))).path("url").asString();
    var out = new ByteArrayOutputStream();
    var place =
        new Surroundings(
            InputStream.nullInputStream(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
            false,
            args[0].equals("dev")
                ? Map.of("HOME", home.toString())
                : Map.of("HOME", home.toString(), "HAPAX_URL", url, "HAPAX_DATA", data.toString()),
            home);
    int exit = new Cli(Main.verbs(), place).run(args);
    assertThat(exit).as(out.toString(UTF_8)).isZero();
    return Json.tree(out.toString(UTF_8));
  }
}
