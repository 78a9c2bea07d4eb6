package dev.hapax.app.demo;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;

/**
 * How the worker speaks to the outside systems: one attempt per call, and what its answer means.
 */
final class Outside implements AutoCloseable {
  private final DataFolder folder;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(Duration.ofSeconds(1))
          .build();

  Outside(DataFolder folder) {
    this.folder = folder;
  }

  Book.Entry post(String path, String key, Sandbox.Task task, Duration patience)
      throws IOException, InterruptedException {
    var request =
        to(path, patience)
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(Json.write(task)))
            .build();
    HttpResponse<String> response = send(request);
    int status = response.statusCode();
    return switch (meaningOf(status)) {
      case DONE -> Json.read(response.body(), Book.Entry.class);
      case NOT_APPLIED -> throw new NotApplied(path + " answered " + status);
      case REJECTED -> throw new Rejected("http-" + status, path + " answered " + status);
      case AMBIGUOUS -> throw new IOException(path + " answered " + status);
    };
  }

  Optional<Book.Entry> find(String path, Duration patience)
      throws IOException, InterruptedException {
    HttpResponse<String> response = send(to(path, patience).GET().build());
    return switch (response.statusCode()) {
      case 200 -> Optional.of(Json.read(response.body(), Book.Entry.class));
      case 404 -> Optional.empty();
      default -> throw new IOException(path + " answered " + response.statusCode());
    };
  }

  private enum Meaning {
    DONE,
    NOT_APPLIED,
    REJECTED,
    AMBIGUOUS
  }

  /** Section 4 of the design, "What an answer means". */
  private static Meaning meaningOf(int status) {
    return switch (status) {
      case 425, 429 -> Meaning.NOT_APPLIED;
      case 408, 409 -> Meaning.AMBIGUOUS;
      default ->
          switch (status / 100) {
            case 2 -> Meaning.DONE;
            case 4 -> Meaning.REJECTED;
            default -> Meaning.AMBIGUOUS;
          };
    };
  }

  /** Anything but a connection that never stood is ambiguous once the request is on its way. */
  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw new NotApplied(request.uri() + " could not be reached", e);
    }
  }

  /** Looked up each time: a sandbox that was killed comes back on another port. */
  private HttpRequest.Builder to(String path, Duration patience) throws IOException {
    try {
      URI sandbox = URI.create(Files.readString(folder.sandboxAddress()));
      return HttpRequest.newBuilder(sandbox.resolve(path)).timeout(patience);
    } catch (NoSuchFileException e) {
      throw new NotApplied("the sandbox is not there yet", e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
