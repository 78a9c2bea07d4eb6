package dev.hapax.app;

import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The program itself, as a process of its own on a free port, and its client. */
final class ServerProcess implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ChildProcess process;
  private final Path folder;
  private final URI address;
  private final String token;

  /** What it answered. */
  record Reply(int status, String headers, String text) {
    JsonNode json() {
      return Json.tree(text.isEmpty() ? "null" : text);
    }

    String at(String pointer) {
      return json().at(pointer).asString("");
    }
  }

  /**
   * Starts it and waits until it takes work.
   *
   * @param folder for its data and what it writes
   * @param options of the JVM
   * @param settings as {@code --set} takes them
   */
  ServerProcess(Path folder, List<String> options, String... settings) throws Exception {
    this.folder = folder;
    Path data = folder.resolve("data");
    List<String> arguments =
        new ArrayList<>(List.of("serve", "--port", "0", "--data", data.toString()));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    this.process = ChildProcess.start(folder, ServerProcess.class, options, arguments);
    String ready = process.awaitLine(line -> line.startsWith("{"), LONG);
    this.address = URI.create(Json.tree(ready).at("/data/url").asString());
    this.token = Files.readString(data.resolve("admin.token")).strip();
  }

  /** The process. It ends when it is told so, and also when whoever started it has gone. */
  public static void main(String[] arguments) throws Exception {
    ChildProcess.endWithParent(_ -> System.exit(0));
    Main.main(arguments);
  }

  URI address() {
    return address;
  }

  /** The operator's token. */
  String token() {
    return token;
  }

  /** All that it has written to standard output and standard error. */
  String log() throws IOException {
    var log = new StringBuilder(String.join("\n", process.lines()));
    try (var files = Files.newDirectoryStream(folder, "child*.err")) {
      for (Path file : files) {
        log.append(Files.readString(file));
      }
    }
    return log.toString();
  }

  Reply get(@Nullable String bearer, String path) throws Exception {
    return ask(bearer, "GET", path, null);
  }

  /** The call with a body of JSON, or of YAML where a draft is put; null for none. */
  Reply ask(
      @Nullable String bearer, String method, String path, @Nullable String body, String... headers)
      throws Exception {
    HttpResponse<String> answer =
        client.send(request(bearer, method, path, body, headers), BodyHandlers.ofString());
    return new Reply(answer.statusCode(), answer.headers().map().toString(), answer.body());
  }

  HttpRequest request(
      @Nullable String bearer,
      String method,
      String path,
      @Nullable String body,
      String... headers) {
    String type = path.endsWith("/draft") ? "application/yaml" : "application/json";
    var request =
        HttpRequest.newBuilder(URI.create(address + path))
            .timeout(LONG)
            .header("Content-Type", type)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (bearer != null) {
      request.setHeader("Authorization", "Bearer " + bearer);
    }
    return request.build();
  }

  HttpClient client() {
    return client;
  }

  /** Makes a flow live. */
  void release(String bearer, String text) throws Exception {
    String flow =
        "/api/flows/" + text.lines().findFirst().orElseThrow().substring("flow: ".length());
    must(ask(bearer, "PUT", flow + "/draft", text));
    String number =
        must(ask(bearer, "POST", flow + "/releases", "{}")).json().at("/release").toString();
    must(ask(bearer, "PUT", flow + "/live", "{\"release\": %s}".formatted(number)));
  }

  static Reply must(Reply reply) {
    if (reply.status() >= 300) {
      throw new AssertionError(reply.toString());
    }
    return reply;
  }

  /** Tells it to stop, and waits until it has written out what it still wanted to. */
  void stop() throws InterruptedException {
    process.say("stop");
    process.awaitExit(LONG);
  }

  void kill() throws InterruptedException {
    process.kill();
  }

  @Override
  public void close() {
    process.close();
    client.close();
  }
}
