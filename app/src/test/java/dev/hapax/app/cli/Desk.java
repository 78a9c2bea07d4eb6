package dev.hapax.app.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.verb.VerbEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A user's desk: a folder, an environment, and a server that answers what the test wrote down. */
final class Desk implements AutoCloseable {
  private static final List<String> HEADERS_TOLD =
      List.of("Idempotency-Key", "Prefer", "Content-Type");

  private final List<VerbEntry> verbs;
  private final Path folder;
  private final HttpServer server;
  private final Deque<String> answers = new ArrayDeque<>();
  private final List<String> requests = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();

  Desk(List<VerbEntry> verbs, Path folder) throws IOException {
    this.verbs = verbs;
    this.folder = folder;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
    environment.put("HOME", folder.toString());
    environment.put("HAPAX_URL", url());
    environment.put("HAPAX_TOKEN", "secret-token");
    environment.put("NO_COLOR", "1");
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What a command did. */
  record Effect(int exit, List<String> requests, String out, String err) {
    List<String> lines() {
      var lines = new ArrayList<String>();
      lines.add("exit " + exit);
      requests.forEach(request -> lines.add("> " + request));
      out.lines().forEach(line -> lines.add(("out: " + line).stripTrailing()));
      err.lines().forEach(line -> lines.add(("err: " + line).stripTrailing()));
      return lines;
    }
  }

  synchronized Desk answers(List<String> next) {
    answers.clear();
    answers.addAll(next);
    requests.clear();
    return this;
  }

  Effect type(boolean terminal, List<String> args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int exit =
        new Cli(
                verbs,
                new Surroundings(
                    new ByteArrayInputStream("typed in\n".getBytes(StandardCharsets.UTF_8)),
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    terminal,
                    environment,
                    folder))
            .run(args.toArray(String[]::new));
    return new Effect(exit, asked(), everywhere(out), everywhere(err));
  }

  private synchronized List<String> asked() {
    return List.copyOf(requests);
  }

  /** What differs from machine to machine is written as one. */
  private String everywhere(ByteArrayOutputStream text) {
    return text.toString(StandardCharsets.UTF_8)
        .replace(folder.toString(), "/home/ann")
        .replace(url(), "http://127.0.0.1:8899")
        .replace(Runtime.version().toString(), "25");
  }

  private void serve(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String[] answer = note(exchange, body).split(" ", 2);
    byte[] bytes = (answer.length == 1 ? "" : answer[1]).getBytes(StandardCharsets.UTF_8);
    int status = Integer.parseInt(answer[0]);
    exchange
        .getResponseHeaders()
        .set("Content-Type", status < 400 ? "application/json" : "application/problem+json");
    if (answer.length == 2 && answer[1].contains("\"replayed\"")) {
      exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
    }
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private synchronized String note(HttpExchange exchange, String body) {
    var request = new StringBuilder(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    for (String name : HEADERS_TOLD) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null && !value.equals("application/json")) {
        request.append(" [").append(name).append(": ").append(value).append(']');
      }
    }
    if (!"Bearer secret-token".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      request.append(" [without the token]");
    }
    requests.add((request + " " + body.replace("\n", "\\n")).strip());
    return answers.isEmpty() ? "500 {\"title\": \"nothing more is expected\"}" : answers.remove();
  }

  void put(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
