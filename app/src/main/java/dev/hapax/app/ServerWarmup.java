package dev.hapax.app;

import dev.hapax.app.config.SettingsReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts a server on its own store, sends it a few requests and stops it. The launcher makes the
 * JVM record the classes that this needed, so that a server is ready sooner.
 */
final class ServerWarmup {
  private ServerWarmup() {}

  static void run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("hapax-warmup");
    var settings =
        new SettingsReader()
            .flag("--data", "data", folder.resolve("data").toString())
            .flag("--port", "http.port", "0")
            .read();
    try (Application application = Application.start(settings, Extras.NONE);
        HttpClient client = HttpClient.newHttpClient()) {
      for (String path : List.of("/readyz", "/metrics", "/openapi.json", "/api/runs", "/nothing")) {
        ask(client, application.address().resolve(path), application.firstToken());
      }
    } finally {
      delete(folder);
    }
  }

  private static void ask(HttpClient client, URI address, @Nullable String token)
      throws IOException, InterruptedException {
    client.send(
        HttpRequest.newBuilder(address).header("Authorization", "Bearer " + token).build(),
        BodyHandlers.discarding());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
