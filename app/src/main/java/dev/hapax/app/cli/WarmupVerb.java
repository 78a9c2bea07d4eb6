package dev.hapax.app.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Verb;
import dev.hapax.app.cli.verb.VerbCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * Runs typical commands in one process, against a fake server. The launcher makes the JVM record
 * the classes that they needed, so that the next start finds them ready.
 */
@Command(
    name = "warmup",
    hidden = true,
    description = "Runs typical commands once, so that the next start is faster.")
final class WarmupVerb extends Verb {
  private static final byte[] RUNS =
      """
      {"id": "r-aaaaaaaaaaaaaaaaaaaaaaaaaa", "flow": "order", "release": 1, "key": "A-1", "status": "succeeded",
       "retryable": false, "input": {"total": 40.0}, "output": null, "error": null, "duplicates": 0,
       "createdAt": "2026-11-15T10:00:00Z", "endedAt": "2026-11-15T10:00:01Z", "next": null,
       "items": [{"id": "r-aaaaaaaaaaaaaaaaaaaaaaaaaa", "flow": "order", "key": "A-1", "status": "succeeded",
                  "createdAt": "2026-11-15T10:00:00Z", "duplicates": 0}]}
      """
          .getBytes(StandardCharsets.UTF_8);

  @Override
  public VerbAnswer answer(VerbCall call) throws IOException {
    Path folder = Files.createTempDirectory("hapax-warmup");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", WarmupVerb::answer);
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      List<List<String>> commands = commands();
      for (List<String> command : commands) {
        for (boolean terminal : List.of(false, true)) {
          new Cli(Verbs.with(), place(folder, url, terminal)).run(command.toArray(String[]::new));
        }
      }
      return VerbAnswer.of(Map.of("commands", commands.size()), "warm");
    } finally {
      server.stop(0);
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static List<List<String>> commands() {
    return List.of(
        List.of("init"),
        List.of("check", "flows/first-order.yaml"),
        List.of("push", "flows/first-order.yaml"),
        List.of("run", "order", "--input", "{\"total\": 40}", "--key", "A-1", "--wait"),
        List.of("runs"),
        List.of("runs", "show", "r-aaaaaaaaaaaaaaaaaaaaaaaaaa"),
        List.of("effects"),
        List.of("kv", "get", "orders"),
        List.of("id", "order", "A-1"),
        List.of("version"),
        List.of("nonsense"),
        List.of("help"));
  }

  private static Surroundings place(Path folder, String url, boolean terminal) {
    var environment = new HashMap<String, String>();
    environment.put("HOME", folder.toString());
    environment.put("HAPAX_URL", url);
    environment.put("HAPAX_TOKEN", "none");
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return new Surroundings(
        InputStream.nullInputStream(), nowhere, nowhere, terminal, environment, folder);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, RUNS.length);
    exchange.getResponseBody().write(RUNS);
    exchange.close();
  }
}
