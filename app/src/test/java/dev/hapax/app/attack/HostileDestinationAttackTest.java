package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Destinations that answer without end, without sense or not at all; the server has two cores. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class HostileDestinationAttackTest {
  private static final String READS =
      """
      flow: read
      steps:
        - id: read
          http: {connection: hostile, path: "/${input.way}"}
          timeout: 2s
          retry: {attempts: 1}
      output: {size: "${size(string(steps.read.output.body))}"}
      """;

  private static final String WRITES =
      """
      flow: write
      key: ${input.way}
      steps:
        - id: write
          http: {connection: hostile, method: POST, path: "/${input.way}", body: {a: 1}}
          effect: {kind: create, key: "${input.way}", guard: none}
          timeout: 2s
          retry: {attempts: 3, delay: 10ms}
      """;

  private static final String LOOKS =
      """
      flow: look
      key: ${input.way}
      steps:
        - id: write
          http: {connection: hostile, method: POST, path: /drop, body: {a: 1}}
          effect:
            kind: create
            key: ${input.way}
            guard: {lookup: {http: {connection: hostile, path: "/${input.way}"}, found: "${response.status == 200}", settle: 1ms}}
          timeout: 2s
          retry: {attempts: 1}
      """;

  private static final String TELLS =
      """
      flow: tell
      steps:
        - {id: tell, publish: {connection: receiver, type: told, data: {a: 1}}}
      """;

  /** How long an answer of {@code /healthz} may take. */
  private static final long MOST_MILLIS = 100;

  private static final int MOST_SERIES = 10;

  @TempDir private static Path folder;
  private static ServerProcess server;
  private static HostileServer http;
  private static final List<HostileServer> others = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    server =
        new ServerProcess(
            folder,
            List.of("-XX:ActiveProcessorCount=2", "-Xmx256m", "-XX:+ExitOnOutOfMemoryError"));
    http = new HostileServer(HostileHttp::answer);
    String base = "http://127.0.0.1:" + http.port();
    connect("hostile", "http", Map.of("base", base, "privateHosts", Set.of("127.0.0.1")));
    connect(
        "receiver", "webhook", Map.of("url", base + "/told", "privateHosts", Set.of("127.0.0.1")));
    connect("later", "http", Map.of("base", base, "privateHosts", Set.of("127.0.0.1")));
    String later = READS.replace("flow: read", "flow: later").replace(": hostile", ": later");
    for (String flow : List.of(READS, later, WRITES, LOOKS, TELLS)) {
      server.release(server.token(), flow);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    http.close();
    for (HostileServer other : others) {
      other.close();
    }
  }

  private static void connect(String name, String kind, Map<String, Object> form) throws Exception {
    ServerProcess.must(
        server.ask(
            server.token(), "PUT", "/api/connections/" + name, Json.write(Map.of(kind, form))));
  }

  /** Runs a flow to its end, which must come soon after the timeout of its step. */
  private static String run(String flow, String way) throws Exception {
    long began = System.nanoTime();
    ServerCalls.Reply reply =
        ServerProcess.must(
            server.ask(
                server.token(),
                "POST",
                "/api/flows/" + flow + "/runs",
                Json.write(Map.of("way", way)),
                "Prefer",
                "wait=12"));
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    assertThat(took).as("%s %s: %s", flow, way, reply.text()).isLessThan(Duration.ofSeconds(10));
    return reply.at("/status");
  }

  /** All at once, while health is asked for. Returns the state of each run. */
  private static Map<String, String> runAll(String flow, Iterable<String> ways) throws Exception {
    var states = new LinkedHashMap<String, String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var runs = new LinkedHashMap<String, Future<String>>();
      for (String way : ways) {
        runs.put(way, threads.submit(() -> run(flow, way)));
      }
      for (var run : runs.entrySet()) {
        states.put(run.getKey(), run.getValue().get());
      }
    }
    assertThat(server.get(null, "/healthz").status()).isEqualTo(200);
    return states;
  }

  @Test
  void an_http_answer_without_end_ends_with_the_attempt() throws Exception {
    Map<String, String> states = runAll("read", HostileHttp.WAYS.keySet());

    assertThat(states).allSatisfy((_, state) -> assertThat(state).isEqualTo("failed"));
    assertThat(run("read", "bomb")).isEqualTo("succeeded");
    assertThat(run("later", "later")).as("it does not wait for 30 years").isEqualTo("failed");
    HostileHttp.WAYS
        .keySet()
        .forEach(way -> assertThat(http.counted("GET " + way)).as(way).isLessThan(2));
    AttackTable.held(
        HostileDestinationAttackTest.class,
        "HTTP answers without end, sense or hurry",
        states.size() + 2);
  }

  /** It may have arrived: only a person may decide to send it again. */
  @Test
  void a_write_whose_answer_was_cut_off_is_in_doubt_and_sent_once() throws Exception {
    List<String> ways =
        HostileHttp.WAYS.keySet().stream()
            .filter(way -> !Set.of("redirect", "body", "no-end-of-chunk").contains(way))
            .toList();
    Map<String, String> states = runAll("write", ways);

    assertThat(states).allSatisfy((_, state) -> assertThat(state).isEqualTo("review"));
    ways.forEach(way -> assertThat(http.counted("POST " + way)).as(way).isOne());
    AttackTable.held(
        HostileDestinationAttackTest.class, "answers to a write that are cut off", states.size());
  }

  @Test
  void lookups_and_messages_end_too() throws Exception {
    List<String> ways = List.of("continue", "equal-headers", "body", "drip-head", "silence");
    Map<String, String> states = runAll("look", ways);
    assertThat(run("tell", "")).isEqualTo("succeeded");

    assertThat(states).allSatisfy((_, state) -> assertThat(state).isEqualTo("failed"));
    assertThat(http.counted("POST drop")).as("a lookup comes before the first send").isZero();
    AttackTable.held(
        HostileDestinationAttackTest.class, "lookups and messages without end", states.size() + 1);
  }

  @Test
  void a_tls_handshake_that_does_not_end_sends_nothing() throws Exception {
    Map<String, HostileServer.Script> ways = new LinkedHashMap<>();
    ways.put("tls-silence", (_, c) -> HostileServer.silence(c, ""));
    ways.put("tls-drip", (s, c) -> s.drip(c, "\26\3\3\100\0", "x"));
    ways.put("tls-zeros", (s, c) -> s.forever(c, "", "\0"));
    ways.put("tls-alerts", (s, c) -> s.forever(c, "", "\25\3\3\0\2\1\0"));
    ways.put("tls-http", (s, c) -> s.forever(c, "", "HTTP/1.1 100 Continue\r\n\r\n"));
    for (var way : ways.entrySet()) {
      var other = new HostileServer(way.getValue());
      others.add(other);
      String base = "https://127.0.0.1:" + other.port();
      connect(way.getKey(), "http", Map.of("base", base, "privateHosts", Set.of("127.0.0.1")));
      server.release(
          server.token(),
          WRITES
              .replace("flow: write", "flow: " + way.getKey())
              .replace("connection: hostile", "connection: " + way.getKey())
              .replace("timeout: 2s", "timeout: 5s")
              .replace("attempts: 3", "attempts: 1"));
    }

    Map<String, String> states = eachByItself(ways.keySet());

    assertThat(states).allSatisfy((_, state) -> assertThat(state).isEqualTo("failed"));
    AttackTable.held(HostileDestinationAttackTest.class, "TLS handshakes without end", ways.size());
  }

  @Test
  void an_smtp_conversation_without_end_sends_no_mail() throws Exception {
    Map<String, HostileServer.Script> ways = new LinkedHashMap<>(HostileMail.WAYS);
    ways.put("mail-swallow", HostileMail::swallow);
    for (var way : ways.entrySet()) {
      var other = new HostileServer(way.getValue());
      others.add(other);
      connect(
          way.getKey(),
          "smtp",
          Map.of(
              "host", "127.0.0.1",
              "port", other.port(),
              "tls", "none",
              "from", "shop@example.org",
              "privateHosts", Set.of("127.0.0.1")));
      server.release(
          server.token(),
          """
          flow: %1$s
          steps:
            - id: mail
              email: {connection: %1$s, to: a@example.org, subject: hello, text: hello}
              effect: {kind: notify, key: "${input.way}", guard: none}
              timeout: 2s
              retry: {attempts: 1}
          """
              .formatted(way.getKey()));
    }

    Map<String, String> states = eachByItself(ways.keySet());

    assertThat(states.remove("mail-swallow")).as("it may have been sent").isEqualTo("review");
    assertThat(states).allSatisfy((_, state) -> assertThat(state).isEqualTo("failed"));
    AttackTable.held(
        HostileDestinationAttackTest.class, "SMTP conversations without end", ways.size());
  }

  @Test
  void a_database_that_claims_or_sends_too_much_is_not_believed() throws Exception {
    for (var way : HostilePostgres.WAYS.entrySet()) {
      var other = new HostileServer(way.getValue());
      others.add(other);
      connect(
          way.getKey(),
          "postgres",
          Map.of(
              "host", "127.0.0.1",
              "port", other.port(),
              "database", "books",
              "user", "me",
              "tls", "none",
              "privateHosts", Set.of("127.0.0.1")));
      server.release(
          server.token(),
          """
          flow: %1$s
          steps:
            - id: ask
              db: {connection: %1$s, sql: "SELECT 1"}
              timeout: 2s
              retry: {attempts: 1}
          """
              .formatted(way.getKey()));
    }

    Map<String, String> states = eachByItself(HostilePostgres.WAYS.keySet());

    assertThat(states).allSatisfy((_, state) -> assertThat(state).isEqualTo("failed"));
    AttackTable.held(
        HostileDestinationAttackTest.class,
        "PostgreSQL messages without end or with false lengths",
        states.size());
  }

  private static Map<String, String> eachByItself(Iterable<String> flows) throws Exception {
    var states = new LinkedHashMap<String, String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var runs = new LinkedHashMap<String, Future<String>>();
      for (String flow : flows) {
        Callable<String> run = () -> run(flow, flow);
        runs.put(flow, threads.submit(run));
      }
      for (var run : runs.entrySet()) {
        states.put(run.getKey(), run.getValue().get());
      }
    }
    return states;
  }

  /**
   * Every answer of a series comes in time. The machine has other work, so there may be several
   * series; in each of them nine tenths of the answers come in time.
   */
  @Test
  void health_answers_while_three_runs_read_without_end() throws Exception {
    var isOver = new AtomicBoolean();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> runs =
          List.of("body", "continue", "trailers").stream()
              .map(way -> threads.submit(() -> again(way, isOver)))
              .toList();
      var slowest = new ArrayList<Long>();
      do {
        List<Long> millis = timesOfHealth();
        System.out.printf(
            "health: half within %d ms, nine tenths within %d ms, slowest %d ms%n",
            millis.get(49), millis.get(89), millis.getLast());
        slowest.add(millis.getLast());
        assertThat(millis.get(89)).as("%s", millis).isLessThan(MOST_MILLIS);
      } while (slowest.getLast() >= MOST_MILLIS && slowest.size() < MOST_SERIES);
      isOver.set(true);
      int ended = 0;
      for (Future<Integer> run : runs) {
        ended += run.get();
      }

      assertThat(ended).isGreaterThan(2);
      assertThat(slowest.getLast()).as("%s", slowest).isLessThan(MOST_MILLIS);
    }
  }

  /** The times of 100 answers in milliseconds, the slowest last. */
  private static List<Long> timesOfHealth() throws Exception {
    var millis = new ArrayList<Long>();
    for (int i = 0; i < 100; i++) {
      long began = System.nanoTime();
      server.get(null, "/healthz");
      millis.add((System.nanoTime() - began) / 1_000_000);
    }
    millis.sort(null);
    return millis;
  }

  private static int again(String way, AtomicBoolean isOver) throws Exception {
    int ended = 0;
    do {
      assertThat(run("read", way)).isEqualTo("failed");
      ended++;
    } while (!isOver.get());
    return ended;
  }
}
