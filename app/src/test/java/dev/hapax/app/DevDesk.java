package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.cli.Cli;
import dev.hapax.app.cli.output.Output;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.dev.DevAllowList;
import dev.hapax.app.dev.DevScreen;
import dev.hapax.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A developer's desk: a folder of flows, its server, its terminal, and another to type in. */
final class DevDesk implements AutoCloseable {
  private final Path home;
  private @Nullable DevServer server;
  private SeenLines screen = new SeenLines();

  DevDesk(Path home) throws IOException {
    this.home = home;
    Files.createDirectories(flows());
  }

  Path flows() {
    return home.resolve("flows");
  }

  /** Saves a file as most editors do: beside it, and then by a rename. */
  DevDesk save(String name, String text) throws IOException {
    Path file = flows().resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Path fresh = Files.writeString(file.resolveSibling("." + file.getFileName() + ".swp"), text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return this;
  }

  DevDesk start(String... allow) throws IOException {
    return start(false, allow);
  }

  DevDesk start(boolean isFresh, String... allow) throws IOException {
    return start(new DevServer.Wish(flows(), 0, isFresh, DevAllowList.of(List.of(allow)), false));
  }

  /** Starts a server that writes down what these hosts answer. */
  DevDesk record(String... allow) throws IOException {
    return start(new DevServer.Wish(flows(), 0, false, DevAllowList.of(List.of(allow)), true));
  }

  private DevDesk start(DevServer.Wish wish) throws IOException {
    screen = new SeenLines();
    server = DevServer.start(wish, screenOn(screen.stream()));
    return this;
  }

  /** A screen that is not looked at. */
  static DevScreen nowhere() {
    return screenOn(new PrintStream(OutputStream.nullOutputStream(), true, UTF_8));
  }

  private static DevScreen screenOn(PrintStream out) {
    var place =
        new Surroundings(
            InputStream.nullInputStream(), out, out, false, Map.of(), Path.of("").toAbsolutePath());
    return new DevScreen(out, new Output(place, false).paint());
  }

  SeenLines screen() {
    return screen;
  }

  DevServer server() {
    DevServer running = server;
    if (running == null) {
      throw new IllegalStateException("the server is not started");
    }
    return running;
  }

  /** What a command answered. */
  record Said(int exit, JsonNode document) {
    String at(String pointer) {
      JsonNode found = document.at(pointer);
      return found.isString() ? found.stringValue() : found.toString();
    }
  }

  Said hapax(String... args) {
    var out = new ByteArrayOutputStream();
    var surroundings = place(new PrintStream(out, true, UTF_8));
    int exit = new Cli(Main.verbs(), surroundings).run(args);
    assertThat(out.toString(UTF_8).lines()).as("documents").hasSize(1);
    return new Said(exit, Json.tree(out.toString(UTF_8)));
  }

  private Surroundings place(PrintStream out) {
    Map<String, String> environment =
        server == null
            ? Map.of("HOME", home.toString())
            : Map.of(
                "HOME", home.toString(),
                "HAPAX_URL", server.address().toString(),
                "HAPAX_DATA", server.data().toString());
    return new Surroundings(
        InputStream.nullInputStream(),
        out,
        new PrintStream(new ByteArrayOutputStream(), true, UTF_8),
        false,
        environment,
        home);
  }

  void stop() throws IOException {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}
