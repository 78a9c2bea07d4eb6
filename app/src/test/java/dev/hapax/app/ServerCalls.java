package dev.hapax.app;

import dev.hapax.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Calls of a server that runs elsewhere. */
public class ServerCalls implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI address;
  private final String token;

  /**
   * Calls of the server at this address.
   *
   * @param token the operator's
   */
  public ServerCalls(URI address, String token) {
    this.address = address;
    this.token = token;
  }

  /** What it answered. */
  public record Reply(int status, String headers, String text) {
    public JsonNode json() {
      return Json.tree(text.isEmpty() ? "null" : text);
    }

    public String at(String pointer) {
      return json().at(pointer).asString("");
    }
  }

  public URI address() {
    return address;
  }

  /** The operator's token. */
  public String token() {
    return token;
  }

  public Reply get(@Nullable String bearer, String path) throws Exception {
    return ask(bearer, "GET", path, null);
  }

  /** The call with a body of JSON, or of YAML where a draft is put; null for none. */
  public Reply ask(
      @Nullable String bearer, String method, String path, @Nullable String body, String... headers)
      throws Exception {
    HttpResponse<String> answer =
        client.send(request(bearer, method, path, body, headers), BodyHandlers.ofString());
    return new Reply(answer.statusCode(), answer.headers().map().toString(), answer.body());
  }

  public HttpRequest request(
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

  public HttpClient client() {
    return client;
  }

  /** Makes a flow live. */
  public void release(String bearer, String text) throws Exception {
    String flow =
        "/api/flows/" + text.lines().findFirst().orElseThrow().substring("flow: ".length());
    must(ask(bearer, "PUT", flow + "/draft", text));
    String number =
        must(ask(bearer, "POST", flow + "/releases", "{\"allowMissing\": true}"))
            .json()
            .at("/release")
            .toString();
    must(
        ask(
            bearer,
            "PUT",
            flow + "/live",
            "{\"release\": %s, \"allowMissing\": true}".formatted(number)));
  }

  public static Reply must(Reply reply) {
    if (reply.status() >= 300) {
      throw new AssertionError(reply.toString());
    }
    return reply;
  }

  @Override
  public void close() {
    client.shutdownNow(); // an answer that no test has read would keep it open
    client.close();
  }
}
