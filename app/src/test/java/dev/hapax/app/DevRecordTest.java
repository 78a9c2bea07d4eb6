package dev.hapax.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.DevDesk.Said;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers that were recorded from a real server, and are given again without it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DevRecordTest {
  private static final String CANARY = "canary-9f27c1e0b7";

  private static final String PAY =
      """
      flow: pay
      input: {type: object, required: [id], properties: {id: {type: string}, note: {type: string}}}
      key: ${input.id}
      steps:
        - id: charge
          http: {connection: psp, method: POST, path: /charges, query: {v: "2"}, body: {order: "${input.id}"}}
          effect: {name: psp.charge, kind: create, key: "${input.id}", guard: %s, externalId: "${output.body.id}"}
          retry: {attempts: 5, delay: 10ms}
      output: {charge: "${steps.charge.externalId}"}
      """;

  private static final String ASK =
      """
      flow: ask
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: look
          http: {connection: psp, method: GET, path: %s}
          retry: {attempts: 1}
      output: {status: "${steps.look.output.status}", body: "${steps.look.output.body}"}
      """;

  /** Answers one request. */
  private interface Answering {
    void to(HttpExchange exchange) throws IOException;
  }

  @TempDir private Path home;
  private DevDesk desk;
  private HttpServer psp;
  private final BlockingQueue<String> called = new LinkedBlockingQueue<>();
  private volatile Answering answering =
      exchange -> send(exchange, 201, "application/json", "{\"id\": \"ch_0\"}");

  @BeforeEach
  void sit() throws IOException {
    desk = new DevDesk(home);
    psp = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    psp.createContext(
        "/",
        exchange -> {
          called.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          try (exchange) {
            answering.to(exchange);
          }
        });
    psp.start();
    desk.save(
        "connections/psp.yaml",
        "http: {base: 'http://%s', auth: {bearer: psp-key}, privateHosts: ['127.0.0.1']}\n"
            .formatted(place()));
  }

  @AfterEach
  void leave() throws IOException {
    desk.close();
    psp.stop(0);
  }

  private String place() {
    return "127.0.0.1:" + psp.getAddress().getPort();
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    send(exchange, status, type, body.getBytes(UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private Said run(String flow, String id) {
    return desk.hapax("run", flow, "--input", "{\"id\": \"%s\"}".formatted(id), "--wait");
  }

  private Path recording() {
    return desk.flows().resolve("recordings/psp.json");
  }

  /** Stops everything that was real, and starts a server with an empty store. */
  private void replay() throws IOException {
    desk.stop();
    psp.stop(0);
    desk.start(true);
  }

  // ---- record and replay

  @Test
  void a_recorded_answer_is_given_again_without_its_server() throws Exception {
    answering =
        exchange -> send(exchange, 201, "application/json", "{\"id\": \"ch_1\", \"n\": 1.10}");
    desk.save("pay.yaml", PAY.formatted("keyed")).record(place());

    Said real = run("pay", "A-1");
    desk.screen().await("recorded POST /charges?v=2 of 'charge': 201, in recordings/psp.json");
    replay();
    Said again = run("pay", "A-1");
    Said other = run("pay", "A-2");
    String unmatched = desk.screen().await("charge: POST /charges?v=2 has no recording");

    assertThat(real.at("/data/output/charge")).as("%s", real).isEqualTo("ch_1");
    assertThat(again.at("/data/output/charge")).as("%s", again).isEqualTo("ch_1");
    assertThat(other.at("/data/output/charge")).startsWith("sandbox-");
    assertThat(unmatched).contains("recordings/psp.json", "the sandbox makes up an answer");
    assertThat(called).containsExactly("POST /charges?v=2");
  }

  @Test
  void only_listed_hosts_are_called_and_recorded() throws Exception {
    desk.save("pay.yaml", PAY.formatted("keyed")).record();
    desk.screen().await("nothing is recorded, because no host is listed");

    Said run = run("pay", "A-1");
    desk.save("dev.yaml", "allow: ['%s']\n".formatted(place()));
    desk.screen().await("really reached: " + place());
    Said listed = run("pay", "A-2");
    desk.screen().await("recorded POST /charges?v=2");

    assertThat(List.of(run.exit(), listed.exit())).containsOnly(0);
    assertThat(called).hasSize(1);
  }

  @Test
  void answers_to_equal_requests_come_in_their_order_and_the_last_one_repeats() throws Exception {
    var count = new AtomicInteger();
    answering =
        exchange -> {
          int n = count.incrementAndGet();
          send(
              exchange,
              200,
              "application/json",
              "{\"state\": \"%s\"}".formatted(n < 3 ? "open" : "paid"));
        };
    desk.save("ask.yaml", ASK.formatted("/charges/ch_1")).record(place());
    run("ask", "A-1");
    run("ask", "A-2");
    run("ask", "A-3");

    replay();

    assertThat(run("ask", "B-1").at("/data/output/body/state")).isEqualTo("open");
    assertThat(run("ask", "B-2").at("/data/output/body/state")).isEqualTo("open");
    assertThat(run("ask", "B-3").at("/data/output/body/state")).isEqualTo("paid");
    assertThat(run("ask", "B-4").at("/data/output/body/state")).isEqualTo("paid");
    assertThat(Files.readString(recording()))
        .containsOnlyOnce("\"open\"")
        .contains("\"times\" : 2");
  }

  @Test
  void a_new_session_replaces_the_answers_that_it_records_and_leaves_the_others() throws Exception {
    answering = exchange -> send(exchange, 200, "application/json", "{\"name\": \"old\"}");
    desk.save("ask.yaml", ASK.formatted("/a"))
        .save("keep.yaml", ASK.formatted("/b").replace("flow: ask", "flow: keep"))
        .record(place());
    run("ask", "A-1");
    run("keep", "A-1");
    desk.stop();
    answering = exchange -> send(exchange, 200, "application/json", "{\"name\": \"new\"}");

    desk.record(place());
    run("ask", "A-2");
    replay();

    assertThat(run("ask", "B-1").at("/data/output/body/name")).isEqualTo("new");
    assertThat(run("keep", "B-1").at("/data/output/body/name")).isEqualTo("old");
    assertThat(run("ask", "B-2").at("/data/output/body/name")).isEqualTo("new");
  }

  @Test
  void a_person_can_open_a_recorded_request_for_any_body() throws Exception {
    answering = exchange -> send(exchange, 201, "application/json", "{\"id\": \"ch_1\"}");
    desk.save("pay.yaml", PAY.formatted("keyed")).record(place());
    run("pay", "A-1");
    replay();

    Files.writeString(
        recording(),
        Files.readString(recording()).replaceAll(",\\s*\"fingerprint\" : \"[0-9a-f]{64}\"", ""));

    assertThat(run("pay", "A-7").at("/data/output/charge")).isEqualTo("ch_1");
  }

  // ---- faults

  @Test
  void lost_doubled_and_failed_answers_happen_to_recorded_ones_too() throws Exception {
    answering = exchange -> send(exchange, 201, "application/json", "{\"id\": \"ch_1\"}");
    desk.save("pay.yaml", PAY.formatted("keyed")).record(place());
    List.of("A-1", "A-2", "A-3", "A-4").forEach(id -> run("pay", id));
    replay();

    desk.hapax("dev", "lose", "charge");
    Said lost = run("pay", "A-1");
    desk.hapax("dev", "double", "charge");
    Said doubled = run("pay", "A-2");
    desk.hapax("dev", "fail", "charge", "503");
    Said failed = run("pay", "A-3");
    desk.hapax("dev", "delay", "charge", "10ms");
    Said late = run("pay", "A-4");
    Said requests = desk.hapax("dev", "requests");

    assertThat(List.of(lost, doubled, failed, late))
        .allSatisfy(run -> assertThat(run.at("/data/output/charge")).isEqualTo("ch_1"));
    assertThat(requests.document().at("/data/effects").findValuesAsString("applied"))
        .hasSize(4)
        .containsOnly("1");
  }

  // ---- secrets

  @Test
  void a_secret_is_in_no_recording() throws Exception {
    answering =
        exchange -> {
          String auth = exchange.getRequestHeaders().getFirst("Authorization");
          exchange.getResponseHeaders().set("Set-Cookie", "sid=" + CANARY + "-cookie");
          exchange.getResponseHeaders().set("X-Echo", auth);
          exchange.getResponseHeaders().set("X-Auth-Token", "fresh-" + CANARY);
          send(
              exchange,
              201,
              "application/json",
              "{\"id\": \"ch_1\", \"echo\": \"%s\", \"at\": \"/x?k=%s\"}".formatted(auth, CANARY));
        };
    desk.save("pay.yaml", PAY.formatted("keyed"))
        .save("ask.yaml", ASK.formatted("/" + CANARY + "/raw"))
        .record(place());
    Files.writeString(home.resolve("secret.txt"), CANARY);
    Said set =
        desk.hapax("secrets", "put", "psp-key", "--file", "secret.txt", "--host", "127.0.0.1");
    Said paid = run("pay", "A-1");
    answering = exchange -> send(exchange, 200, "image/png", binary(CANARY));
    Said asked = run("ask", "A-1");

    String text = Files.readString(recording());
    assertThat(set.exit()).as("%s", set).isZero();
    assertThat(List.of(paid.exit(), asked.exit())).as("%s %s", paid, asked).containsOnly(0);
    assertThat(text)
        .doesNotContain(CANARY)
        .doesNotContain(Base64.getEncoder().encodeToString(binary(CANARY)))
        .contains("\"x-echo\" : \"Bearer [redacted]\"", "\"set-cookie\" : \"[redacted]\"")
        .contains("\"x-auth-token\" : \"[redacted]\"", "/[redacted]/raw");
    assertThat(desk.screen().all()).noneMatch(line -> line.contains(CANARY));
  }

  private static byte[] binary(String within) {
    byte[] text = within.getBytes(UTF_8);
    byte[] body = new byte[text.length + 4];
    body[0] = (byte) 0xff;
    body[1] = (byte) 0xfe;
    System.arraycopy(text, 0, body, 2, text.length);
    return body;
  }

  // ---- hostile answers

  @Test
  void bodies_of_all_kinds_are_recorded_within_limits() throws Exception {
    byte[] latin = {'f', (byte) 0xfc, 'r'};
    desk.save("latin.yaml", ASK.formatted("/latin").replace("flow: ask", "flow: latin"))
        .save("broken.yaml", ASK.formatted("/broken").replace("flow: ask", "flow: broken"))
        .save("plain.yaml", ASK.formatted("/plain").replace("flow: ask", "flow: plain"))
        .save("none.yaml", ASK.formatted("/none").replace("flow: ask", "flow: none"))
        .save("large.yaml", ASK.formatted("/large").replace("flow: ask", "flow: large"))
        .save("deep.yaml", ASK.formatted("/deep").replace("flow: ask", "flow: deep"))
        .record(place());
    String deep = "[".repeat(97) + "]".repeat(97);
    answering =
        exchange -> {
          switch (exchange.getRequestURI().getPath()) {
            case "/latin" -> send(exchange, 200, "text/plain", latin);
            case "/broken" -> send(exchange, 200, "application/json", "{\"id\": ");
            case "/plain" -> send(exchange, 200, "text/plain", "one\ntwo");
            case "/none" -> send(exchange, 204, "text/plain", "");
            case "/deep" -> send(exchange, 200, "application/json", deep);
            default -> send(exchange, 200, "text/plain", "y".repeat(400_000));
          }
        };
    List<String> flows = List.of("latin", "broken", "plain", "none", "deep");
    List<String> real = flows.stream().map(flow -> run(flow, "A-1").at("/data/output")).toList();
    Said large = run("large", "A-1");
    long size = Files.size(recording());

    replay();

    assertThat(large.exit()).as("%s", large).isZero();
    assertThat(flows.stream().map(flow -> run(flow, "A-1").at("/data/output")).toList())
        .isEqualTo(real);
    assertThat(run("large", "A-1").at("/data/output/body")).hasSize(400_000);
    assertThat(size).isLessThan(20_000);
  }

  @Test
  void an_endless_answer_is_not_recorded_and_harms_nothing() throws Exception {
    answering =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] part = new byte[64 << 10];
          try (OutputStream out = exchange.getResponseBody()) {
            while (true) {
              out.write(part); // until the other end hangs up
            }
          }
        };
    desk.save("ask.yaml", ASK.formatted("/endless").replace("retry:", "timeout: 1s\n    retry:"))
        .record(place());

    Said run = run("ask", "A-1");
    desk.screen().await("not recorded: GET /endless of 'look' got no answer");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(recording()).doesNotExist();
  }

  @Test
  void a_file_that_is_no_recording_is_named_and_never_overwritten() throws Exception {
    answering = exchange -> send(exchange, 201, "application/json", "{\"id\": \"ch_1\"}");
    desk.save("pay.yaml", PAY.formatted("keyed")).save("recordings/psp.json", "{\"exchanges\": 7");
    desk.record(place());
    desk.screen().await("recordings/psp.json is not a recording");

    Said real = run("pay", "A-1");
    desk.screen().await("not recorded: POST /charges?v=2: recordings/psp.json is not a recording");
    replay();
    Said made = run("pay", "A-2");

    assertThat(real.at("/data/output/charge")).isEqualTo("ch_1");
    assertThat(made.at("/data/output/charge")).startsWith("sandbox-");
    assertThat(Files.readString(recording())).isEqualTo("{\"exchanges\": 7");
  }

  @Test
  void recordings_stay_in_the_folder() throws Exception {
    Path outside = Files.createDirectory(home.resolve("outside"));
    desk.save("pay.yaml", PAY.formatted("keyed"));
    Files.createSymbolicLink(desk.flows().resolve("recordings"), outside);
    desk.record(place());

    Said run = run("pay", "A-1");
    desk.screen().await("not recorded: POST /charges?v=2: recordings is a link");

    assertThat(run.exit()).as("%s", run).isNotEqualTo(5);
    assertThat(outside).isEmptyDirectory();
  }

  // ---- tests of flows

  @Test
  void a_case_without_answers_gets_the_recorded_ones() throws Exception {
    answering = exchange -> send(exchange, 201, "application/json", "{\"id\": \"ch_1\"}");
    desk.save("pay.yaml", PAY.formatted("keyed")).record(place());
    run("pay", "A-1");
    desk.stop();
    psp.stop(0);
    desk.save(
        "pay.test.yaml",
        """
        cases:
          - name: as recorded
            input: {id: A-1}
            expect: {output: {charge: ch_1}}
          - name: the case counts before the recording
            input: {id: A-1}
            answers: {charge: {status: 201, body: {id: ch_2}}}
            expect: {output: {charge: ch_2}}
          - name: a lost answer of a recording
            input: {id: A-1}
            kill: [after send charge]
            expect: {output: {charge: ch_1}, applied: {charge: 1}}
          - name: never recorded
            input: {id: A-2}
            expect: {output: {charge: ch_1}}
        """);

    Said tested = desk.hapax("test", "flows");
    Said proven = desk.hapax("prove", "flows/pay.yaml");

    assertThat(tested.at("/data/cases/0/passed") + tested.at("/data/cases/1/passed"))
        .as("%s", tested)
        .isEqualTo("truetrue");
    assertThat(tested.at("/data/cases/2/passed")).as("%s", tested).isEqualTo("true");
    assertThat(tested.at("/data/cases/3")).contains("has no recording in recordings/psp.json");
    assertThat(proven.exit()).as("%s", proven).isZero();
  }
}
