package dev.hapax.app.demo;

import dev.hapax.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks a child process for its state. */
record Peer(DemoProcess child, HttpClient client) {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Returns null while the child is down, or if it dies before it answers. */
  <T> @Nullable T ask(String path, Class<T> type) throws InterruptedException {
    child.refuseIfGivenUp();
    URI address = child.address();
    if (address == null) {
      return null;
    }
    try {
      var request = HttpRequest.newBuilder(address.resolve(path)).timeout(TIMEOUT).build();
      var response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 ? Json.read(response.body(), type) : null;
    } catch (IOException e) {
      return null;
    }
  }
}
