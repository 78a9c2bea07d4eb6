package dev.hapax.app;

import dev.hapax.Courier;
import dev.hapax.Hapax;
import dev.hapax.app.config.SettingsReader;
import dev.hapax.app.dev.DevClock;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunWait;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server on a free port with flows of the tests, and its client. */
public final class TestServer implements AutoCloseable {
  private static final String ADMIN_OF = "admin-of-";

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  /** What the handler of the effect does next, by what it is asked for. */
  final Map<String, String> moods = new ConcurrentHashMap<>();

  private final DevClock clock;
  private final Application application;
  private final String token;

  public TestServer(Path folder, String... settings) throws IOException {
    this(folder, false, settings);
  }

  /**
   * A server on a store that has the flows of the tests already, or gets them now.
   *
   * @param isReleased whether it has them, or needs none
   */
  public TestServer(Path folder, boolean isReleased, String... settings) throws IOException {
    var read =
        new SettingsReader()
            .set(List.of(settings))
            .flag("--data", "data", folder.toString())
            .flag("--port", "http.port", "0")
            .read();
    Ports system = Ports.system();
    clock = DevClock.open(system.clock(), folder.resolve("clock"));
    application =
        Application.start(
            read,
            new Extras(
                files -> files.handler("charge", (input, _) -> charge(input)),
                tokens ->
                    token -> token.startsWith(ADMIN_OF) ? adminOf(token) : tokens.actor(token),
                List.of(),
                null,
                null,
                UnaryOperator.identity(),
                new Ports(clock, system.random(), system.threads(), system.process()),
                Companion.NONE));
    token = Files.readString(folder.resolve("admin.token")).strip();
    if (!isReleased) {
      TestFlows.ALL.forEach(this::release);
    }
  }

  /** A server with this clock, and without the flows of the tests. */
  public static TestServer at(Clock clock, Path folder) throws IOException {
    Ports system = Ports.system();
    var ports = new Ports(clock, system.random(), system.threads());
    return new TestServer(folder, Extras.with(files -> files, ports, Companion.NONE));
  }

  /** With parts of its own, and without the flows of the tests. Its clock cannot be moved. */
  TestServer(Path folder, Extras extras) throws IOException {
    clock = DevClock.open(extras.ports().clock(), folder.resolve("clock"));
    var read =
        new SettingsReader()
            .flag("--data", "data", folder.toString())
            .flag("--port", "http.port", "0")
            .read();
    application = Application.start(read, extras);
    token = Files.readString(folder.resolve("admin.token")).strip();
  }

  Hapax hapax() {
    return application.hapax();
  }

  private static Actor adminOf(String token) {
    String tenant = token.substring(ADMIN_OF.length());
    return new Actor("admin of " + tenant, tenant, Set.of(TokenScope.ADMIN), Set.of());
  }

  /** A token that may do everything as another tenant. */
  public String tokenOf(String tenant) {
    return ADMIN_OF + tenant;
  }

  public List<Route> routes() {
    return application.allRoutes();
  }

  /** Makes a flow live, also before it has its connections. */
  public void release(String text) {
    String name = text.lines().findFirst().orElseThrow().substring("flow: ".length());
    var draft =
        request("/api/flows/" + name + "/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(text));
    String release = "{\"release\": 1, \"allowMissing\": true}";
    refuseUnless(name, send(draft));
    refuseUnless(name, post("/api/flows/" + name + "/releases", "{\"allowMissing\": true}"));
    refuseUnless(name, put("/api/flows/" + name + "/live", release));
  }

  private static void refuseUnless(String flow, Reply reply) {
    if (reply.status() >= 300) {
      throw new IllegalStateException(
          "flow '%s' was not released: %s".formatted(flow, reply.raw().body()));
    }
  }

  private Object charge(@Nullable Object order) {
    String mood = moods.getOrDefault(String.valueOf(order), "fine");
    return switch (mood) {
      case "refused" -> throw new Rejected("card-refused", "the card is refused");
      case "busy" -> throw new NotApplied("come back later");
      case "lost" -> throw new IllegalStateException("connection reset");
      default -> Map.of("charged", String.valueOf(order));
    };
  }

  /** Sets what the handler of the effect does when it is asked for this. */
  public void mood(String order, String mood) {
    moods.put(order, mood);
  }

  /** What a run of another tenant waits for; a suspended tenant has no token to ask with. */
  List<RunWait> waitsOf(String tenant, String run) {
    return application.hapax().tenant(tenant).waitsOf(run);
  }

  /** Publishes a message of the first tenant. */
  public void publish(String key, Message message) {
    application.hapax().outbox().publish(key, message);
  }

  /** Delivers the messages of one destination of the first tenant. */
  public void courier(String destination, Courier courier) {
    application.hapax().outbox().courier(destination, courier);
  }

  /** Moves the wall clock of the server forward, and wakes what is due. */
  public void move(Duration by) {
    clock.move(by);
  }

  public URI address() {
    return application.address();
  }

  public String token() {
    return token;
  }

  /** An answer whose body is JSON, or nothing. */
  public record Reply(int status, JsonNode body, HttpResponse<String> raw) {
    public String at(String pointer) {
      JsonNode found = body.at(pointer);
      return found.isString() ? found.stringValue() : found.toString();
    }

    public @Nullable String header(String name) {
      return raw.headers().firstValue(name).orElse(null);
    }
  }

  public Reply get(String path) {
    return send(request(path).GET());
  }

  public Reply post(String path, String json, String... headers) {
    HttpRequest.Builder request = request(path).POST(BodyPublishers.ofString(json));
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  public Reply put(String path, String json) {
    return send(request(path).PUT(BodyPublishers.ofString(json)));
  }

  public Reply delete(String path) {
    return send(request(path).DELETE());
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address() + path))
        .timeout(Duration.ofSeconds(30))
        .setHeader("Content-Type", "application/json")
        .setHeader("Authorization", "Bearer " + token());
  }

  public Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
      String type = answer.headers().firstValue("Content-Type").orElse("");
      boolean isJson = type.contains("json") && !type.contains("ndjson");
      String body = isJson && !answer.body().isEmpty() ? answer.body() : "null";
      return new Reply(answer.statusCode(), Json.tree(body), answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow(); // else the server waits a second for its idle connections
    application.close();
  }
}
