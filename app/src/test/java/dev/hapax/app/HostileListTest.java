package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A destination that lists nonsense neither stops the server nor makes anything true. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileListTest {
  private static final String BILL =
      """
      flow: bill
      key: ${input.id}
      steps:
        - id: invoice
          http: {connection: books, method: POST, path: /invoices, body: {order: "${input.id}"}}
          effect:
            kind: create
            key: ${input.id}
            guard: none
            reconcile:
              list: {connection: books, path: /invoices, query: {after: "${page.cursor}"}}
              items: ${response.body.items}
              next: ${response.body.next}
              key: ${item.order}
              externalId: ${item.id}
              rate: 1000
          retry: {attempts: 1}
      """;

  /** Answers to pages of the list. */
  private interface Pages {
    String page(int number);
  }

  @TempDir private Path folder;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile String type = "application/json";
  private volatile Pages pages = _ -> "{}";
  private HttpServer books;
  private TestServer server;

  @BeforeEach
  void open() throws IOException {
    books = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    books.createContext(
        "/",
        exchange -> {
          try (exchange) {
            boolean isList = exchange.getRequestMethod().equals("GET");
            String body = isList ? pages.page(asked.incrementAndGet()) : "{}";
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    books.start();
    server = new TestServer(folder);
    server.put(
        "/api/connections/books",
        "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
            .formatted(books.getAddress().getPort()));
    server.release(BILL);
    server.post("/api/flows/bill/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20");
  }

  @AfterEach
  void close() {
    server.close();
    books.stop(0);
  }

  @Test
  void an_answer_that_is_no_list_fails_and_misses_nothing() {
    for (String body :
        List.of(
            "{\"items\": 7}", "{\"items\": {\"order\": \"A-1\"}}", "{}", "[]", "null", "\"x\"")) {
      pages = _ -> body;
      assertFailed(body);
    }
    pages = _ -> "{\"items\": [{\"order\": \"%s\"}]}".formatted("k".repeat(1 << 20));
    assertFailed("a key of 1 MB");
    type = "text/html";
    pages = _ -> "<html><body>Sign in</body></html>";
    assertFailed("a page of HTML");
  }

  private void assertFailed(String what) {
    Reply found = reconciled();
    assertThat(found.at("/status")).as("%s: %s", what, found.body()).isEqualTo("failed");
    assertThat(found.at("/totals/missing")).isEqualTo("0");
  }

  @Test
  void entries_of_wrong_types_and_endless_keys_are_unknown() {
    String longKey = "k".repeat(400_000);
    pages =
        _ ->
            "{\"items\": [7, null, [], \"x\", {\"order\": {\"a\": 1}}, {\"order\": \"%s\"}, {\"order\": \"A-1\", \"id\": \"%s\"}, {\"order\": \"A-1\"}]}"
                .formatted(longKey, longKey);

    Reply found = reconciled("{\"flow\": \"bill\", \"adopt\": true}");

    assertThat(found.at("/status")).as("%s", found.body()).isEqualTo("succeeded");
    assertThat(found.at("/totals/unknown")).as("%s", found.body()).isEqualTo("6");
    assertThat(found.at("/totals/doubled")).isEqualTo("1");
    assertThat(found.at("/totals/differs")).isEqualTo("1");
    assertThat(found.at("/adopted")).isEqualTo("0");
    assertThat(found.raw().body().length()).isLessThan(20_000);
  }

  @Test
  void a_cursor_without_end_and_one_that_repeats_itself_are_refused() {
    pages = _ -> "{\"items\": [], \"next\": \"%s\"}".formatted("c".repeat(5_000));
    assertThat(reconciled().at("/error/code")).isEqualTo("cursor-too-long");
    pages = _ -> "{\"items\": [], \"next\": \"same\"}";
    assertThat(reconciled().at("/error/code")).isEqualTo("same-cursor");
  }

  @Test
  void a_list_without_end_can_be_canceled() {
    pages = number -> "{\"items\": [], \"next\": \"%d\"}".formatted(number);
    String id = server.post("/api/reconciliations", "{\"flow\": \"bill\"}").at("/id");
    while (asked.get() < 20) {
      LockSupport.parkNanos(2_000_000);
    }
    server.post("/api/runs/" + id + "/cancel", "{\"reason\": \"endless\"}");
    Reply found;
    do {
      found = server.get("/api/reconciliations/" + id);
    } while (!found.at("/status").equals("canceled"));
    assertThat(found.at("/totals/missing")).isEqualTo("0");
  }

  private Reply reconciled() {
    return reconciled("{\"flow\": \"bill\"}");
  }

  private Reply reconciled(String body) {
    String id = server.post("/api/reconciliations", body).at("/id");
    while (true) {
      Reply now = server.get("/api/reconciliations/" + id);
      if (List.of("succeeded", "failed").contains(now.at("/status"))) {
        return now;
      }
    }
  }
}
