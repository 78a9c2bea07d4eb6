package dev.hapax.app.demo;

import dev.hapax.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The demo's client of the server: over HTTP, with the token of its folder, like any program. Every
 * answer is null while the server is down, or if it dies before it answers. Safe for many threads.
 */
final class ServerDoor {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int PAGE = 200;

  private final DemoProcess server;
  private final DemoFolder folder;
  private final HttpClient client;

  ServerDoor(DemoProcess server, DemoFolder folder, HttpClient client) {
    this.server = server;
    this.folder = folder;
    this.client = client;
  }

  /** The answer of the server. */
  record Heard(int status, String body) {
    boolean isGood() {
      return status / 100 == 2;
    }

    <T> T read(Class<T> type) {
      return Json.read(body, type);
    }
  }

  @Nullable Heard get(String path) throws InterruptedException {
    return send("GET", path, null, Map.of());
  }

  @Nullable Heard put(String path, Object body) throws InterruptedException {
    return send("PUT", path, Json.write(body), Map.of("Content-Type", "application/json"));
  }

  @Nullable Heard post(String path, Object body) throws InterruptedException {
    return send("POST", path, Json.write(body), Map.of("Content-Type", "application/json"));
  }

  @Nullable Heard send(
      String method, String path, @Nullable String body, Map<String, String> headers)
      throws InterruptedException {
    URI address = server.address();
    if (address == null) {
      return null;
    }
    try {
      var publisher =
          body == null
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofString(body);
      var request =
          HttpRequest.newBuilder(address.resolve(path))
              .timeout(TIMEOUT)
              .header("Authorization", "Bearer " + token())
              .method(method, publisher);
      headers.forEach(request::header);
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Heard(response.statusCode(), response.body());
    } catch (IOException e) {
      return null; // it may or may not have it: the next try shows
    }
  }

  private String token() throws IOException {
    return Files.readString(folder.token()).strip();
  }

  /** A page of a list, as every list of the API is. */
  interface Page<T> {
    List<T> items();

    @Nullable String next();
  }

  /** Returns all items of a list, page by page; null if the server became unreachable meanwhile. */
  <T, P extends Page<T>> @Nullable List<T> all(String path, Class<P> type)
      throws InterruptedException {
    var all = new ArrayList<T>();
    String after = "";
    do {
      Heard heard = get(path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE + after);
      if (heard == null || !heard.isGood()) {
        return null;
      }
      P page = heard.read(type);
      all.addAll(page.items());
      after = page.next() == null ? null : "&after=" + Objects.requireNonNull(page.next());
    } while (after != null);
    return all;
  }
}
