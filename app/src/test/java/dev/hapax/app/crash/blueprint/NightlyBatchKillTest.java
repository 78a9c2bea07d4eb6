package dev.hapax.app.crash.blueprint;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import tools.jackson.databind.JsonNode;

/**
 * The blueprint {@code nightly-batch} with 10,000 readings, a hundred of them bad, on a server that
 * is killed in the middle: at the end each good reading has one bill, and one report names the bad.
 */
@Tag("crash")
@ResourceLock("kills")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@SuppressWarnings("MemberName") // the names of tests are sentences
class NightlyBatchKillTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../examples/blueprints/nightly-batch/flows/nightly-batch.yaml");
  private static final int READINGS = 10_000;
  private static final int BAD = 100;
  private static final int KILLED_AFTER = 4_000;

  @TempDir Path folder;

  /** How often billing was asked under each key; it makes one bill per key. */
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();

  private final Map<String, String> bills = new ConcurrentHashMap<>();
  private final Map<String, String> reports = new ConcurrentHashMap<>();
  private final CountDownLatch middle = new CountDownLatch(KILLED_AFTER);
  private HttpServer outside;

  @BeforeEach
  void serve() throws IOException {
    outside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 300);
    outside.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    outside.createContext("/", this::answer);
    outside.start();
  }

  @AfterEach
  void stop() {
    outside.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String answer = "{}";
      switch (exchange.getRequestMethod()) {
        case "GET" -> answer = readings();
        case "PUT" -> reports.put(exchange.getRequestURI().getPath(), body);
        default -> {
          String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
          asked.computeIfAbsent(key, _ -> new AtomicInteger()).incrementAndGet();
          String bill = bills.computeIfAbsent(key, _ -> Json.tree(body).path("meter").asString());
          answer = "{\"id\": \"bill-%s\"}".formatted(bill);
          middle.countDown();
        }
      }
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static String readings() {
    return IntStream.range(0, READINGS)
        .mapToObj(
            meter ->
                "{\"meter\": \"m-%d\", \"kwh\": %d}"
                    .formatted(meter, meter % (READINGS / BAD) == 7 ? -1 : meter % 50))
        .collect(Collectors.joining(", ", "{\"readings\": [", "]}"));
  }

  @Test
  void ten_thousand_readings_become_one_bill_each_though_the_server_is_killed() throws Exception {
    try (ServerProcess first = started()) {
      for (String name : List.of("meters", "billing")) {
        ServerCalls.must(
            first.ask(first.token(), "PUT", "/api/connections/" + name, Json.write(connection())));
      }
      first.release(first.token(), Files.readString(FILE));
      start(first, "wait=0");
      middle.await();
      first.kill();
    }

    try (ServerProcess second = started()) {
      JsonNode ended = ended(second);

      assertThat(ended.path("status").asString()).isEqualTo("partial");
      assertThat(ended.at("/output/bills").asInt()).isEqualTo(READINGS - BAD);
      assertThat(ended.at("/output/failed").asInt()).isEqualTo(BAD);
      assertThat(bills.values()).hasSize(READINGS - BAD).doesNotHaveDuplicates();
      assertThat(asked.values()).allMatch(times -> times.get() <= 2);
      assertThat(reports).hasSize(1);
      assertThat(Json.tree(reports.values().iterator().next()).path("failed").asInt())
          .isEqualTo(BAD);
    }
  }

  private ServerProcess started() throws Exception {
    return new ServerProcess(folder, List.of());
  }

  private Map<String, ?> connection() {
    return Map.of(
        "http",
        Map.of(
            "base",
            "http://127.0.0.1:" + outside.getAddress().getPort(),
            "privateHosts",
            List.of("127.0.0.1")));
  }

  private static JsonNode start(ServerProcess server, String wait) throws Exception {
    return ServerCalls.must(
            server.ask(
                server.token(),
                "POST",
                "/api/flows/nightly-batch/runs",
                "{\"day\": \"2026-01-01\"}",
                "Prefer",
                wait))
        .json();
  }

  /** Starts it again, which gets the first run, until that one has ended. */
  private static JsonNode ended(ServerProcess server) throws Exception {
    while (true) {
      JsonNode now = start(server, "wait=20");
      if (!List.of("queued", "running", "waiting").contains(now.path("status").asString())) {
        return now;
      }
    }
  }
}
