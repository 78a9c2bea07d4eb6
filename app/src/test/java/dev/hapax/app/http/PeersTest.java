package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that hold a connection without using it lose it; peers that are merely slow do not. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("attack")
class PeersTest {
  private Server server;

  @BeforeEach
  void start() {
    Route count =
        Route.post(
            "/api/raw", TokenScope.PUBLIC, "count", call -> RouteAnswer.ok(call.body().length));
    server =
        Server.start(
            new Routes(
                List.of(count),
                _ -> null,
                tenant -> {
                  throw new AssertionError(tenant);
                },
                () -> false),
            Server.Place.at("127.0.0.1", 0)
                .limits(PeerLimits.USUAL.silence(Duration.ofSeconds(3))));
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

  /** One byte every tenth of a second, as long as the peer takes it. */
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
      // reset: the peer takes it no longer
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

  @Test
  void who_has_too_many_connections_loses_the_silent_ones_first() throws Exception {
    try (Server limited = limited(new PeerLimits(100, 3, Duration.ofSeconds(30)));
        var first = new Socket(InetAddress.getLoopbackAddress(), limited.port());
        var second = new Socket(InetAddress.getLoopbackAddress(), limited.port());
        var third = new Socket(InetAddress.getLoopbackAddress(), limited.port())) {
      pause(700);
      write(second, "POST /api/raw HTTP/1.1\r\nHost: a\r\nContent-Le");
      write(third, "POST /api/raw HTTP/1.1\r\nHost: a\r\n");
      pause(100);
      try (var fourth = new Socket(InetAddress.getLoopbackAddress(), limited.port())) {
        write(fourth, HEAD + "2\r\n\r\nab");

        assertThat(answer(fourth)).startsWith("HTTP/1.1 200 ");
        first.setSoTimeout(10_000);
        assertThat(first.getInputStream().read()).isEqualTo(-1);
        write(second, "ngth: 2\r\nConnection: close\r\n\r\nab");
        assertThat(answer(second)).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  @Test
  void a_connection_too_many_is_refused_with_a_time_to_try_again() throws Exception {
    for (PeerLimits limits :
        List.of(
            new PeerLimits(100, 1, Duration.ofSeconds(30)),
            new PeerLimits(1, null, Duration.ofSeconds(30)))) {
      try (Server limited = limited(limits);
          var first = new Socket(InetAddress.getLoopbackAddress(), limited.port())) {
        write(first, HEAD); // it has just said something
        pause(100); // and the server has read it: else the first is the silent one
        try (var second = new Socket(InetAddress.getLoopbackAddress(), limited.port())) {
          write(second, HEAD + "2\r\n\r\nab");

          assertThat(answer(second))
              .startsWith("HTTP/1.1 " + (limits.connections() == 1 ? "503 " : "429 "))
              .contains("Retry-After: 1", "Connection: close", "/problems/");
        }
      }
    }
  }

  private static Server limited(PeerLimits limits) {
    Route count =
        Route.post(
            "/api/raw", TokenScope.PUBLIC, "count", call -> RouteAnswer.ok(call.body().length));
    return Server.start(
        new Routes(
            List.of(count),
            _ -> null,
            tenant -> {
              throw new AssertionError(tenant);
            },
            () -> false),
        Server.Place.at("127.0.0.1", 0).limits(limits));
  }
}
