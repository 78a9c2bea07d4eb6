package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.TroubledProxy.Protocol;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example {@code order-to-invoice.yaml} against real servers. Its process is killed at any
 * instant, and the answers of every server (HTTP, SMTP, PostgreSQL) are lost and delayed on their
 * way, and come twice where a protocol lets them.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("crash")
class OrderKillTest {
  private static final Path FILE =
      Path.of(System.getProperty("basedir", "."))
          .resolve("../examples/flows/order-to-invoice.yaml");
  private static final int ORDERS = 8;
  private static final int KILLS = Integer.getInteger("hapax.kills", 5);
  private static final Pattern ORDER = Pattern.compile("order=(A-\\d+)|\"order\":\"(A-\\d+)\"");

  /** Two more steps, so that a run goes through every guard and every kind of server. */
  private static final String MORE =
      """
        - id: charge
          http: {connection: payments, method: POST, path: /charges, body: {order: "${input.orderId}", total: "${input.total}"}}
          effect: {kind: create, key: "${input.orderId}", guard: keyed}

        - id: book
          db:
            connection: books
            sql: INSERT INTO bookings (order_id, total) VALUES (:order, :total)
            params: {order: "${input.orderId}", total: "${input.total}"}
          effect: {kind: create, key: "${input.orderId}", guard: transaction}

      """;

  private final Map<String, List<String>> invoices = new ConcurrentHashMap<>();
  private final Map<String, String> chargesByKey = new ConcurrentHashMap<>();

  /** Makes an invoice of every request that arrives; a charge only of a key that is new to it. */
  private TestServer.Answer accounting(TestServer.Request request) {
    if (request.method().equals("PUT")) {
      return TestServer.Answer.json(200, "{}");
    }
    String order = orderIn(request.target() + request.body());
    if (request.target().equals("/charges")) {
      chargesByKey.put(request.header("idempotency-key"), order);
      return TestServer.Answer.json(201, "{}");
    }
    List<String> ofOrder = invoices.computeIfAbsent(order, _ -> new ArrayList<>());
    synchronized (ofOrder) {
      if (request.method().equals("POST")) {
        ofOrder.add("i-" + order + "-" + ofOrder.size());
        return TestServer.Answer.json(201, "{\"id\":\"%s\"}".formatted(ofOrder.getLast()));
      }
      return TestServer.Answer.json(
          200, ofOrder.isEmpty() ? "[]" : "[{\"id\":\"%s\"}]".formatted(ofOrder.getFirst()));
    }
  }

  private static String orderIn(String text) {
    Matcher order = ORDER.matcher(text);
    assertThat(order.find()).as(text).isTrue();
    return order.group(1) != null ? order.group(1) : order.group(2);
  }

  /** What a person sees who looks for a mail: its id, or nothing. All else settles itself. */
  private static TestServer.Answer desk(TestServer.Request request, TestMailServer mail)
      throws InterruptedException {
    assertThat(request.target()).contains("/mail");
    String wireKey = request.target().substring(1, request.target().indexOf('?'));
    mail.awaitConversations(); // what was under way when its sender died has arrived then
    return new TestServer.Answer(
        200, Map.of(), mail.hasMailWith(wireKey) ? "<" + wireKey + "@hapax>" : "");
  }

  private static String flow() throws IOException {
    return Files.readString(FILE)
        .replace("settle: 10s", "settle: 300ms")
        .replaceAll("    retry: .*\n", "")
        .replace("  - id: release\n", MORE + "  - id: release\n")
        .replaceAll(
            "(?m)^(  - id: (?:customer|invoice|charge|book|mail))$",
            "$1\n    timeout: 2s\n    retry: {attempts: 60, delay: 100ms, maxDelay: 300ms, within: 24h}");
  }

  @Test
  void an_order_has_one_of_everything(@TempDir Path folder) throws Exception {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    var random = new Random(seed);
    Files.writeString(folder.resolve("flow.yaml"), flow());
    String books = PostgresServer.shared().newDatabase();
    sql(books, "CREATE TABLE bookings (order_id text NOT NULL, total bigint NOT NULL)");
    try (var mail = new TestMailServer("-", "");
        var accounting = new TestServer(this::accounting);
        var desk = new TestServer(request -> desk(request, mail));
        var http = new TroubledProxy(Protocol.HTTP, accounting.port(), seed);
        var smtp = new TroubledProxy(Protocol.SMTP, mail.connection().port(), seed);
        var postgres = new TroubledProxy(Protocol.POSTGRES, PostgresServer.shared().port(), seed)) {
      List<String> arguments =
          List.of(
              folder.toString(),
              "" + http.port(),
              "" + smtp.port(),
              books.replace(":" + PostgresServer.shared().port(), ":" + postgres.port())
                  + "&socketTimeout=2&sslmode=disable",
              "" + desk.port(),
              "" + ORDERS);

      for (int kill = 0; kill < KILLS; kill++) {
        try (var process = ChildProcess.start(folder, OrderProcess.class, List.of(), arguments)) {
          process.awaitLine(line -> line.equals("ready"), Duration.ofMinutes(1));
          Thread.sleep(random.nextInt(1_000));
        } // ended by SIGKILL
      }
      try (var process = ChildProcess.start(folder, OrderProcess.class, List.of(), arguments)) {
        process.awaitLine(line -> line.equals("done"), Duration.ofMinutes(2));
      }

      List<String> orders = IntStream.range(0, ORDERS).mapToObj(i -> "A-" + i).toList();
      assertThat(invoices.values().stream().map(all -> all.toString()))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(
              orders.stream().map(order -> "[i-" + order + "-0]").toList());
      assertThat(chargesByKey.values())
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(orders);
      assertThat(sql(books, "SELECT order_id FROM bookings"))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(orders);
      assertThat(mail.mails).as("seed %d", seed).hasSize(ORDERS);
      for (TroubledProxy proxy : List.of(http, smtp, postgres)) {
        assertThat(proxy.lost).hasPositiveValue();
      }
    }
  }

  private static List<String> sql(String url, String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement jdbc = connection.createStatement()) {
      var found = new ArrayList<String>();
      if (jdbc.execute(statement)) {
        try (ResultSet rows = jdbc.getResultSet()) {
          while (rows.next()) {
            found.add(rows.getString(1));
          }
        }
      }
      return found;
    }
  }
}
