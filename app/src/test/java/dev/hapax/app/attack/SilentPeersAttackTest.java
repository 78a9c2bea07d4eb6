package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers that hold what others need: connections, memory, streams, attention. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentPeersAttackTest {
  private static final int SILENT = 300;
  private static final int CONNECTIONS = 400;
  private static final int STREAMS = 6;

  /** A body that has to wait for room waits for ten seconds. */
  private static final Duration AT_ONCE = Duration.ofSeconds(3);

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server =
        new ServerProcess(
            folder,
            List.of("-Xmx128m"),
            "http.connectionsPerAddress=" + CONNECTIONS,
            "http.streamsPerToken=" + STREAMS,
            "http.streams=" + (STREAMS + 2),
            "http.wrongTokensPerAddress=10");
    server.release(
        server.token(),
        """
        flow: paid
        key: ${input.id}
        triggers:
          - webhook: {path: paid, verify: {scheme: none}, event: "${event.body.id}", input: "${event.body}"}
        steps:
          - {id: note, set: {n: 1}}
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static final String POST = "POST /hooks/paid HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  private static final List<String> HALVES =
      List.of(
          "",
          "POST /hooks/pa",
          POST + "Content-Le",
          POST + "Content-Length: 60000\r\n\r\n{",
          POST + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n");

  @Test
  void three_hundred_silent_peers_delay_no_webhook() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < SILENT; i++) {
        silent.add(peer(HALVES.get(i % HALVES.size())));
      }
      Thread.sleep(600); // until they are silent: there is nothing to wait for but time
      for (int i = 0; i < 40; i++) {
        String more = i % 2 == 0 ? "" : ",\"more\":\"" + "x".repeat(20_000) + "\"";
        deliver("{\"id\":\"%d\"%s}".formatted(i, more));
      }
      for (int i = 0; i < CONNECTIONS; i++) { // now more than an address may have
        silent.add(peer(HALVES.get(i % 3)));
      }
      Thread.sleep(300);
      for (int i = 40; i < 60; i++) {
        deliver("{\"id\":\"%d\"}".formatted(i));
      }
      assertThat(server.get(null, "/metrics").text())
          .containsPattern("hapax_http_connections_replaced_total [1-9]");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    AttackTable.held(
        SilentPeersAttackTest.class, "Peers that fall silent half way", SILENT + CONNECTIONS);
  }

  private static Socket peer(String half) throws IOException {
    Socket socket = RawPeer.open(server.address());
    socket.getOutputStream().write(half.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  /** On a connection of its own, as a provider does. */
  private static void deliver(String body) throws IOException {
    long begin = System.nanoTime();
    try (var provider = new RawPeer(server.address())) {
      String request =
          POST
              + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                  .formatted(body.length())
              + body;
      assertThat(provider.send(request, false).status()).isEqualTo(200);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(AT_ONCE);
  }

  @Test
  void streams_are_bounded_for_a_token_and_for_all() throws Exception {
    String other =
        ServerProcess.must(
                server.ask(
                    server.token(),
                    "POST",
                    "/api/tokens",
                    "{\"name\":\"other\",\"scopes\":[\"runs:read\"]}"))
            .at("/token");
    List<RawPeer> readers = new ArrayList<>();
    int attempts = 0;
    try {
      for (int i = 0; i < STREAMS; i++) {
        assertThat(stream(readers, server.token()).status()).isEqualTo(200);
      }
      for (int i = 0; i < 20; i++, attempts++) {
        RawPeer.Answer answer = stream(readers, server.token());
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.headers()).containsKey("retry-after");
      }
      joins(readers, other);
      joins(readers, other);
      for (int i = 0; i < 20; i++, attempts++) {
        RawPeer.Answer answer = stream(readers, other);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsKey("retry-after");
      }
    } finally {
      for (RawPeer reader : readers) {
        reader.close();
      }
    }
    AttackTable.held(SilentPeersAttackTest.class, "Streams beyond the limits", attempts);
  }

  /** The connections of an earlier test may still count for a moment. */
  private static void joins(List<RawPeer> readers, String token) throws IOException {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    RawPeer.Answer answer = stream(readers, token);
    while (answer.status() == 429 && System.nanoTime() < deadline) {
      readers.removeLast().close();
      answer = stream(readers, token);
    }
    assertThat(answer.status()).isEqualTo(200);
  }

  private static RawPeer.Answer stream(List<RawPeer> readers, String token) throws IOException {
    var reader = new RawPeer(server.address());
    readers.add(reader);
    return reader.ask(
        "GET", "/api/events", "Host: 127.0.0.1\r\nAuthorization: Bearer " + token + "\r\n");
  }

  @Test
  void wrong_tokens_slow_down_only_their_sender() throws Exception {
    int attempts = 400;
    int refused = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> guess : guesses(threads, 0, attempts - 16)) {
        assertThat(guess.get()).isIn(401, 429);
        refused += guess.get() == 429 ? 1 : 0;
      }
      List<Future<Integer>> last = guesses(threads, attempts - 16, attempts);

      assertThat(status(server.token())).isEqualTo(200);

      assertThat(last).as("those that still wait for their answer").anyMatch(one -> !one.isDone());
      for (Future<Integer> guess : last) {
        assertThat(guess.get()).isIn(401, 429);
      }
    }
    assertThat(refused).isPositive();
    assertThat(status(null)).isEqualTo(401); // no token is no wrong token
    AttackTable.held(SilentPeersAttackTest.class, "Wrong tokens of one address", attempts);
  }

  private static List<Future<Integer>> guesses(ExecutorService threads, int from, int to) {
    List<Future<Integer>> guesses = new ArrayList<>();
    for (int i = from; i < to; i++) {
      String guess = "hapax_%013d_%052d".formatted(i, i).replaceAll("[0189]", "a");
      Callable<Integer> ask = () -> status(guess);
      guesses.add(threads.submit(ask));
    }
    return guesses;
  }

  private static int status(@Nullable String token) throws Exception {
    return server.get(token, "/api/runs").status();
  }
}
