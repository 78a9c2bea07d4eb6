package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Where a person types commands for a real server, on a terminal. */
final class TypedDesk {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();

  TypedDesk(Path folder, TestServer server, boolean hasColour) {
    this(folder, server.address(), server.token(), hasColour);
  }

  TypedDesk(Path folder, URI address, String token, boolean hasColour) {
    this.folder = folder;
    environment.put("HAPAX_URL", address.toString());
    environment.put("HAPAX_TOKEN", token);
    if (!hasColour) {
      environment.put("NO_COLOR", "1");
    }
  }

  /** What the person sees, and the exit code. */
  record Seen(int exit, String text) {}

  Seen hapax(String... args) {
    var seen = new ByteArrayOutputStream();
    var screen = new PrintStream(seen, true, UTF_8);
    var place =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            screen,
            screen,
            true,
            environment,
            folder,
            _ -> null);
    int exit = new Cli(Main.verbs(), place).run(args);
    return new Seen(exit, seen.toString(UTF_8));
  }
}
