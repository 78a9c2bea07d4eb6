package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that hold a connection without using it lose it; peers that are merely slow do not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowPeersTest {
  private Server server;

  @BeforeEach
  void start() {
    Route count =
        Route.post("/api/raw", Scope.PUBLIC, "count", call -> Answer.ok(call.body().length));
    server =
        Server.start(
            new Routes(
                List.of(count),
                _ -> null,
                tenant -> {
                  throw new AssertionError(tenant);
                },
                () -> false),
            new Server.Place(
                "127.0.0.1", 0, Set.of(), Duration.ofSeconds(5), Duration.ofSeconds(3)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static final String HEAD =
      "POST /api/raw HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ";

  @Test
  void a_body_that_comes_a_moment_later_is_waited_for() throws Exception {
    try (var socket = connect()) {
      write(socket, HEAD + "4\r\n\r\n");
      pause(700);
      write(socket, "ab");
      pause(700);
      write(socket, "cd");

      assertThat(answer(socket)).startsWith("HTTP/1.1 200 ").endsWith("4");
    }
  }

  @Test
  void headers_that_drip_are_cut_off() throws Exception {
    try (var socket = connect()) {
      write(socket, "POST /api/raw HTTP/1.1\r\nX-Long: ");

      assertThat(dripUntilClosed(socket)).isLessThan(Duration.ofSeconds(15));
    }
  }

  @Test
  void a_body_that_drips_is_cut_off() throws Exception {
    try (var socket = connect()) {
      write(socket, HEAD + "1000000\r\n\r\n");

      assertThat(dripUntilClosed(socket)).isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void who_sends_nothing_is_cut_off() throws Exception {
    try (var socket = connect()) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  private Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  private static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** One byte every tenth of a second, as long as somebody takes it. */
  private static Duration dripUntilClosed(Socket socket) throws Exception {
    long begin = System.nanoTime();
    try {
      socket.setSoTimeout(1);
      while (true) {
        write(socket, "x");
        pause(100);
        if (isClosed(socket)) {
          break;
        }
      }
    } catch (SocketException e) {
      // reset: nobody takes it any more
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0 || socket.getInputStream().readAllBytes() != null;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }

  /** A slow peer is slow: there is nothing to wait for but time. */
  private static void pause(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }
}
