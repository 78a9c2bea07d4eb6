package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.crash.FileSource;
import dev.hapax.app.once.OnceFlow;
import dev.hapax.app.once.OnceRequest;
import dev.hapax.flow.Flow;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.json.Json;
import dev.hapax.store.destination.SqlDestination;
import dev.hapax.testkit.EffectProof;
import dev.hapax.testkit.ProofReport;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An effect without a flow, over real requests and a real database, with each guard: the process
 * dies at each commit and each request in turn, requests and answers get lost, come late and twice.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class OnceProofTest {
  private static final String RETRY =
      "\"retry\": {\"attempts\": 20, \"delay\": \"100ms\", \"within\": \"20h\"}";
  private static final String HTTP =
      """
      {"effect": {"name": "charge", "key": "A-1", "guard": %s, "kind": "%s"}, "connection": "psp",
       "http": {"method": "%s", "path": "/charges", "body": {"cents": 40}}, %s}
      """;
  private static final String LOOKUP =
      """
      {"lookup": {"http": {"connection": "psp", "path": "/charges"}, "found": "${response.status == 200}",
                  "output": "${response.body}", "settle": "1s"}}
      """;

  @TempDir Path folder;
  private final List<World> worlds = new ArrayList<>();
  private Hapax idle; // that the definitions are prepared for; the runs are of the proof's engines

  /** A payment service that does what it is asked each time, unless it knows the key. */
  private static final class World {
    final HttpServer psp;
    final SqlDatabase books;
    final FlowFiles files;
    final Flow<?, ?> once;
    private final List<String> done = new ArrayList<>(); // guarded by itself

    World(Path file, Hapax idle) {
      try {
        psp = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        psp.createContext("/", this::answer);
        psp.start();
        books = SqlDestination.of(new FileSource(file));
        books.run("CREATE TABLE charges (cents INTEGER)", Map.of());
        files = FlowFiles.with(Ports.system()).connections(this::connection).open();
        var flows = new OnceFlow(_ -> idle, _ -> files, OnceFlow.Compiling.HERE, (_, _, _) -> null);
        Flow<?, ?> found = flows.find("default", OnceFlow.NAME, FlowFormat.NEWEST.number());
        once = Optional.<Flow<?, ?>>ofNullable(found).orElseThrow();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    private Optional<Connection> connection(String name) {
      String base = "http://127.0.0.1:" + psp.getAddress().getPort();
      return Optional.of(
          name.equals("books")
              ? new Connection.Database(name, books)
              : Connection.Http.of(name, base).privateHosts("127.0.0.1"));
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status = 200;
        synchronized (done) {
          switch (exchange.getRequestMethod()) {
            case "GET" -> status = done.isEmpty() ? 404 : 200;
            case "PUT" -> {
              done.remove(body);
              done.add(body);
            }
            default -> {
              String key = exchange.getRequestHeaders().getFirst("X-Pay-Once");
              if (key == null || !done.contains(key)) {
                done.add(key == null ? body : key);
              }
            }
          }
        }
        byte[] json = "{\"id\": \"ch_1\"}".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, json.length);
        exchange.getResponseBody().write(json);
      }
    }

    int done() {
      try {
        synchronized (done) {
          return done.size() + books.run("SELECT cents FROM charges", Map.of()).rows().size();
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    @SuppressWarnings("unchecked") // its input is JSON
    Flow<Object, ?> flow() {
      return (Flow<Object, ?>) once;
    }

    void close() {
      psp.stop(0);
      files.close();
    }
  }

  private World world() {
    var world = new World(folder.resolve("books-" + worlds.size() + ".db"), idle);
    worlds.add(world);
    return world;
  }

  @BeforeEach
  void open() {
    idle = Hapax.open(folder.resolve("idle.db"), HapaxOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    worlds.forEach(World::close);
    idle.close();
  }

  @ParameterizedTest
  @CsvSource({
    "keyed, create",
    "upsert, update",
    "lookup, create",
    "transaction, create",
    "none, create"
  })
  void an_effect_happens_once_wherever_its_process_dies(String guard, String kind) {
    String request =
        switch (guard) {
          case "transaction" ->
              """
      {"effect": {"name": "charge", "key": "A-1", "guard": "transaction"}, "connection": "books",
       "db": {"sql": "INSERT INTO charges (cents) VALUES (:cents)", "params": {"cents": 40}}, %s}
      """
                  .formatted(RETRY);
          case "upsert" -> HTTP.formatted("\"upsert\"", kind, "PUT", RETRY);
          case "lookup" -> HTTP.formatted(LOOKUP, kind, "POST", RETRY);
          case "keyed" ->
              HTTP.formatted("{\"keyed\": {\"header\": \"X-Pay-Once\"}}", kind, "POST", RETRY);
          default -> HTTP.formatted("\"none\"", kind, "POST", RETRY);
        };
    ProofReport proof =
        EffectProof.<World, Object>of(this::world, World::flow)
            .applied("charge", World::done)
            .check(world -> assertThat(world.done()).isEqualTo(1))
            .prove(OnceRequest.of(Json.tree(request)).content());

    assertThat(proof.runs()).isGreaterThan(5);
    assertThat(proof.reviews() > 0).as("%s", proof).isEqualTo(guard.equals("none"));
  }
}
