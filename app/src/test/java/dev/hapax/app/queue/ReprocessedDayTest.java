package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.KafkaServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The blueprint {@code invoice-events} on a real Kafka: accounting loses answers, the producer
 * repeats events, and a day of the topic is read again. There is one invoice for each order.
 */
@Tag("server")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReprocessedDayTest {
  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Path BLUEPRINT =
      Path.of(System.getProperty("basedir", "app"))
          .resolve("../examples/blueprints/invoice-events/flows/invoice-events.yaml");
  private static final String ORDERS = "shop.orders";
  private static final String INVOICES = "shop.invoices";
  private static final int COUNT = 40;

  /** Of so many requests, one is done and its answer is lost, and one is lost on its way. */
  private static final int LOST_ANSWER = 4;

  private static final int LOST_REQUEST = 21;

  @TempDir Path folder;

  /** The orders that have an invoice, as often as they have one. */
  private final List<String> invoices = Collections.synchronizedList(new ArrayList<>());

  private final AtomicInteger requests = new AtomicInteger();

  /**
   * Knows no keys: it writes an invoice for every request, and can be asked for those of an order.
   */
  private HttpServer accounting() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/invoices", this::handle);
    server.start();
    return server;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (exchange.getRequestMethod().equals("GET")) {
        String order = exchange.getRequestURI().getQuery().replace("order=", "");
        boolean isThere = invoices.contains(order);
        answer(exchange, 200, isThere ? List.of(Map.of("id", "i-" + order)) : List.of());
        return;
      }
      int number = requests.incrementAndGet();
      if (number % LOST_REQUEST == 0) {
        return;
      }
      String order = Json.tree(body).path("order").asString();
      invoices.add(order);
      if (number % LOST_ANSWER != 0) {
        answer(exchange, 201, Map.of("id", "i-" + order));
      }
    }
  }

  private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void awaitThat(String what, Callable<Boolean> claim) throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    while (!claim.call()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(50_000_000);
    }
  }

  private static long ended(TestServer server, String flow) {
    return server
        .get("/api/runs?limit=200&status=succeeded&flow=" + flow)
        .body()
        .path("items")
        .size();
  }

  @Test
  void a_day_of_a_topic_that_is_read_again_makes_no_second_invoice() throws Exception {
    assumeThat(KafkaServer.obstacle()).as("Kafka for tests").isNull();
    KafkaServer kafka = KafkaServer.shared();
    kafka.ask("create", ORDERS, 3);
    kafka.ask("create", INVOICES, 1);
    HttpServer accounting = accounting();
    try (var server = new TestServer(folder)) {
      server.put(
          "/api/connections/kafka",
          "{\"kafka\": {\"servers\": [\"%s\"], \"tls\": \"none\", \"privateHosts\": [\"127.0.0.1\"]}}"
              .formatted(kafka.server()));
      server.put(
          "/api/connections/accounting",
          "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
              .formatted(accounting.getAddress().getPort()));
      server.release(Files.readString(BLUEPRINT));
      Instant yesterday = Instant.now().minus(Duration.ofDays(1));
      for (int i = 0; i < COUNT; i++) {
        send(kafka, "paid", i);
        send(kafka, "sent", i); // another kind of event about it
        send(kafka, "paid", i); // the producer repeats itself
      }
      kafka.ask("flush");

      awaitThat("all invoices", () -> ended(server, "invoice-events") == COUNT);
      var sought =
          server.post("/api/queues/order-events/seek", "{\"since\": \"%s\"}".formatted(yesterday));
      assertThat(sought.status()).as(sought.raw().body()).isEqualTo(200);
      awaitThat(
          "the day comes again",
          () ->
              server.get("/api/queues/order-events").body().path("duplicates").asLong()
                  >= COUNT + 2 * COUNT);
      awaitThat("the topic hears", () -> ended(server, "hapax%2Fdeliver%2Fkafka") == COUNT);

      List<String> orders = IntStream.range(0, COUNT).mapToObj(i -> "A-" + i).toList();
      assertThat(requests.get()).as("some answers were lost").isGreaterThan(LOST_REQUEST);
      assertThat(invoices).containsExactlyInAnyOrderElementsOf(orders);
      assertThat(server.get("/api/runs?limit=200&flow=invoice-events").body().path("items"))
          .hasSize(COUNT);
      @SuppressWarnings("unchecked")
      var heard = (List<List<Object>>) kafka.ask("read", INVOICES, COUNT);
      assertThat(heard.stream().map(message -> message.get(1)))
          .containsExactlyInAnyOrderElementsOf(orders);
    } finally {
      accounting.stop(0);
    }
  }

  private static void send(KafkaServer kafka, String kind, int number) {
    String event =
        "{\"event\": \"%s-%d\", \"kind\": \"%s\", \"order\": \"A-%d\", \"cents\": 1200}"
            .formatted(kind, number, kind, number);
    kafka.ask("send", ORDERS, "A-" + number, event.getBytes(StandardCharsets.UTF_8));
  }
}
