package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where a program types commands for a real server; every answer is one JSON document. */
final class ServedDesk {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private String piped = "";
  private @Nullable String typed;

  ServedDesk(Path folder, TestServer server) {
    this.folder = folder;
    environment.put("HOME", folder.toString());
    environment.put("HAPAX_URL", server.address().toString());
    environment.put("HAPAX_DATA", folder.resolve("data").toString());
  }

  /** What a command answered. */
  record Said(int exit, JsonNode document) {
    JsonNode data() {
      return document.path("data");
    }

    String at(String pointer) {
      return document.at(pointer).asString("");
    }
  }

  /** Uses the token of another person from now on. */
  void as(String token) {
    environment.put("HAPAX_TOKEN", token);
  }

  /** From now on this comes from a pipe. */
  void pipe(String text) {
    piped = text;
    typed = null;
  }

  /** From now on this is typed at a keyboard. */
  void type(String text) {
    typed = text;
  }

  Said hapax(String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var place =
        new Surroundings(
            new ByteArrayInputStream(piped.getBytes(UTF_8)),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            false,
            environment,
            folder,
            _ -> typed);
    int exit = new Cli(Main.verbs(), place).run(args);
    assertThat(out.toString(UTF_8).lines()).as("documents; %s", err).hasSize(1);
    return new Said(exit, Json.tree(out.toString(UTF_8)));
  }
}
