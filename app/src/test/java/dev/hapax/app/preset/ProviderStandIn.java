package dev.hapax.app.preset;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A provider on 127.0.0.1. It does what it is asked each time it is asked, unless it finds the key
 * where the provider's documents say that it looks for it, or the address names the object.
 */
final class ProviderStandIn implements AutoCloseable {
  /**
   * How a provider behaves, written down from its documents and not from its preset.
   *
   * @param keyIn the header, or {@code body} and the JSON Pointer, that carries the key; null if
   *     the provider takes none
   * @param stores which answers it keeps under a key: all or success
   * @param replayHeader that marks a kept answer
   * @param unique whether an address names one object, so that a repeat changes nothing
   * @param status and body of its answer to a write
   * @param lookup where it is asked about the write, as method and path without query
   * @param found its answer to the lookup if the write was applied
   * @param absent its answer if not
   */
  record Behaviour(
      @Nullable String keyIn,
      @Nullable String stores,
      @Nullable String replayHeader,
      @Nullable Boolean unique,
      int status,
      JsonNode body,
      @Nullable String lookup,
      @Nullable JsonNode found,
      @Nullable Integer absent,
      @Nullable JsonNode absentBody) {}

  /** What happens to the first write. */
  enum Mood {
    /** It is applied and answered. */
    WELL,
    /** It is applied, and the connection ends without an answer. */
    LOSES_ANSWER,
    /** It is applied, and the answer is 500. */
    FAILS_AFTERWARDS
  }

  /** A request as it arrived. */
  record Seen(String method, String target, Map<String, String> headers, String body) {
    String path() {
      return target.replaceFirst("\\?.*", "");
    }
  }

  private record Answer(int status, String body, boolean isReplayed) {}

  private final Behaviour behaviour;
  private final Mood mood;
  private final HttpServer server;
  private final List<Seen> requests = new ArrayList<>();
  private final Map<String, Answer> kept = new HashMap<>();
  private final Map<String, Integer> applied = new LinkedHashMap<>();
  private final AtomicInteger writes = new AtomicInteger();

  ProviderStandIn(Behaviour behaviour, Mood mood) throws IOException {
    this.behaviour = behaviour;
    this.mood = mood;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String base() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized List<Seen> requests() {
    return List.copyOf(requests);
  }

  /** Returns the requests that write, without lookups. */
  synchronized List<Seen> sentWrites() {
    return requests.stream().filter(request -> !isLookup(request)).toList();
  }

  /** Returns how many objects there are now. */
  synchronized int objects() {
    return behaviour.unique() != null && behaviour.unique()
        ? applied.size()
        : applied.values().stream().mapToInt(Integer::intValue).sum();
  }

  private boolean isLookup(Seen request) {
    String lookup = behaviour.lookup();
    return lookup != null
        && lookup.equals(request.method() + " " + request.path())
        && (request.method().equals("GET") || request.body().contains("filter"));
  }

  private void handle(HttpExchange exchange) throws IOException {
    var headers = new TreeMap<String, String>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    var request =
        new Seen(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            headers,
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    Answer answer = answer(request);
    if (answer == null) {
      exchange.close();
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    if (answer.isReplayed() && behaviour.replayHeader() != null) {
      exchange.getResponseHeaders().set(behaviour.replayHeader(), "true");
    }
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private synchronized @Nullable Answer answer(Seen request) {
    requests.add(request);
    if (isLookup(request)) {
      boolean isThere = objects() > 0;
      JsonNode body = isThere ? behaviour.found() : behaviour.absentBody();
      Integer absent = behaviour.absent();
      return new Answer(
          isThere || absent == null ? 200 : absent, body == null ? "" : body.toString(), false);
    }
    String key = key(request);
    Answer first = key == null ? null : kept.get(key);
    if (first != null) {
      return new Answer(first.status(), first.body(), true);
    }
    applied.merge(request.target(), 1, Integer::sum);
    boolean isFirst = writes.incrementAndGet() == 1;
    Answer done =
        isFirst && mood == Mood.FAILS_AFTERWARDS
            ? new Answer(500, "{\"error\": \"oops\"}", false)
            : new Answer(behaviour.status(), behaviour.body().toString(), false);
    if (key != null && ("all".equals(behaviour.stores()) || done.status() < 300)) {
      kept.put(key, done);
    }
    return isFirst && mood == Mood.LOSES_ANSWER ? null : done;
  }

  /** Returns the key where this provider looks for it; null if there is none. */
  @Nullable String key(Seen request) {
    String place = behaviour.keyIn();
    if (place == null) {
      return null;
    }
    if (!place.startsWith("body ")) {
      return request.headers().get(place);
    }
    JsonNode key = Json.tree(request.body()).at(place.substring("body ".length()));
    return key.isString() ? key.stringValue() : null;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
