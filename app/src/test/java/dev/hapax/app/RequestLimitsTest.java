package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.config.SettingsReader;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How often one may ask, over real HTTP. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestLimitsTest {
  private static final int AT_ONCE = 50;

  @TempDir Path folder;

  private Application start(String... settings) throws IOException {
    return Application.start(
        new SettingsReader()
            .set(List.of(settings))
            .flag("--data", "data", folder.toString())
            .flag("--port", "http.port", "0")
            .read(),
        Extras.NONE);
  }

  /** Many at the same moment. */
  private static List<HttpResponse<String>> ask(Application server, String path, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(server.address().resolve(path))
            .header("Authorization", "Bearer " + token)
            .build();
    try (var client = HttpClient.newHttpClient()) {
      return IntStream.range(0, AT_ONCE)
          .mapToObj(_ -> client.sendAsync(request, BodyHandlers.ofString()))
          .toList()
          .stream()
          .map(CompletableFuture::join)
          .toList();
    }
  }

  /** On a machine that takes a second for a few of them all are let in. */
  private static HttpResponse<String> awaitRefusal(Supplier<List<HttpResponse<String>>> ask) {
    while (true) {
      for (HttpResponse<String> reply : ask.get()) {
        if (reply.statusCode() == 429) {
          return reply;
        }
      }
    }
  }

  private static void refusesWithATime(HttpResponse<String> reply, String whom) {
    assertThat(reply.headers().firstValue("Retry-After")).contains("1");
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(Json.tree(reply.body()).path("type").asString()).endsWith("rate-limited");
    assertThat(Json.tree(reply.body()).path("detail").asString()).contains(whom);
  }

  private String operator() throws IOException {
    return Files.readString(folder.resolve("admin.token")).strip();
  }

  @Test
  void too_many_requests_with_one_token_get_a_time_to_try_again() throws IOException {
    try (Application server = start("http.requestsPerToken=1")) {
      String token = operator();
      var refused = awaitRefusal(() -> ask(server, "/api/tokens", token));

      refusesWithATime(refused, "the token of");
      assertThat(ask(server, "/healthz", token)).allMatch(reply -> reply.statusCode() == 200);
    }
  }

  @Test
  void too_many_requests_from_one_address_are_refused_on_every_route() throws IOException {
    try (Application server = start("http.requestsPerAddress=1", "http.requestsPerToken=off")) {
      refusesWithATime(awaitRefusal(() -> ask(server, "/healthz", "none")), "address 127.0.0.1");
      refusesWithATime(awaitRefusal(() -> ask(server, "/api/tokens", "guess")), "from address");
    }
  }

  @Test
  void the_default_limits_do_not_affect_normal_use() throws IOException {
    try (Application server = start()) {
      String token = operator();
      for (int i = 0; i < 20; i++) {
        assertThat(ask(server, "/api/tokens", token)).allMatch(reply -> reply.statusCode() == 200);
      }
    }
  }

  @Test
  void switched_off_there_is_no_limit() throws IOException {
    try (Application server = start("http.requestsPerToken=off", "http.requestsPerAddress=off")) {
      String token = operator();
      assertThat(ask(server, "/api/tokens", token)).allMatch(reply -> reply.statusCode() == 200);
    }
  }
}
