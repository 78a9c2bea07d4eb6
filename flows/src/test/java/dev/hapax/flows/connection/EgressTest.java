package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.testkit.fault.ClosedAddresses;
import dev.hapax.time.Ports;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows cannot reach forbidden addresses under any name. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EgressTest {
  static List<String> closed() {
    return ClosedAddresses.literals();
  }

  @ParameterizedTest
  @MethodSource("closed")
  void closed_addresses_are_refused(String address) {
    assertThatThrownBy(() -> Egress.system().addresses(address, Set.of(), soon()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("which flows may not reach")
        .hasMessageContaining("privateHosts");
  }

  /** Java reads 177.0.0.1, and many others 127.0.0.1. */
  @ParameterizedTest
  @ValueSource(strings = {"0177.0.0.1", "8.8.8.08", "010.8.8.8", "017700000001", "1.02", "0300.1."})
  void an_address_with_leading_zeros_is_refused(String address) {
    assertThatThrownBy(() -> Egress.system().addresses(address, Set.of(), soon()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("leading zeros");
  }

  @Test
  void an_ipv4_address_mapped_into_ipv6_is_refused() throws Exception {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    mapped[12] = 8;
    mapped[15] = 8;

    InetAddress address = java.net.Inet6Address.getByAddress("x", mapped, -1);
    Egress egress = Egress.with((_, _) -> new InetAddress[] {address});

    assertThatThrownBy(() -> egress.addresses("x", Set.of(), soon()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("IPv4 address in IPv6");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "1.1.1.1",
        "172.32.0.1",
        "100.128.0.1",
        "2606:4700::1111",
        "2a00:1450::1"
      })
  void open_addresses_are_not(String address) {
    assertThat(Egress.system().addresses(address, Set.of(), soon())).hasSize(1);
  }

  @Test
  void one_closed_address_among_several_is_enough() {
    Egress egress =
        Egress.with(
            (_, _) ->
                new InetAddress[] {
                  InetAddress.getByName("8.8.8.8"), InetAddress.getByName("10.0.0.1")
                });

    assertThatThrownBy(() -> egress.addresses("mixed.example", Set.of(), soon()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("10.0.0.1");
  }

  /** The address that was checked is the one that is used: the name is asked once. */
  @Test
  void a_name_that_changes_its_address_reaches_nothing_closed() throws Exception {
    var asked = new AtomicInteger();
    Egress egress =
        Egress.with(
            (_, _) ->
                new InetAddress[] {
                  InetAddress.getByName(asked.incrementAndGet() == 1 ? "127.0.0.1" : "10.0.0.1")
                });
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket =
            egress.connect(
                "rebinding.example",
                server.getLocalPort(),
                Duration.ofSeconds(5),
                Set.of("rebinding.example"),
                soon())) {
      assertThat(socket.getInetAddress().getHostAddress()).isEqualTo("127.0.0.1");
      assertThat(asked).hasValue(1);
    }
  }

  @Test
  void a_host_that_the_connection_names_is_open() {
    assertThat(Egress.system().addresses("127.0.0.1", Set.of("127.0.0.1"), soon())).hasSize(1);
  }

  @Test
  void an_unknown_name_and_a_refused_connection_are_known_not_to_have_been_applied() {
    Egress unknown =
        Egress.with(
            (host, _) -> {
              throw new java.net.UnknownHostException(host);
            });

    assertThatThrownBy(
            () -> unknown.connect("nowhere", 80, Duration.ofSeconds(1), Set.of(), soon()))
        .isInstanceOf(NotApplied.class);
    assertThatThrownBy(
            () ->
                Egress.system()
                    .connect("127.0.0.1", 1, Duration.ofSeconds(1), Set.of("127.0.0.1"), soon()))
        .isInstanceOf(NotApplied.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org",
        "//example.org/x",
        "http://user:pass@example.org/",
        "http:///x",
        "not an address"
      })
  void only_http_addresses_are_sent_to(String url) {
    try (var client = client()) {
      assertThatThrownBy(
              () ->
                  client.send(
                      null,
                      new HttpRequest(null, "GET", url, Map.of(), null),
                      Map.of(),
                      Duration.ofSeconds(1)))
          .isInstanceOf(Rejected.class);
    }
  }

  @Test
  void a_path_cannot_leave_the_connections_host() {
    Connection.Http connection = Connection.Http.of("shop", "http://127.0.0.1:1");
    try (var client = client()) {
      for (String path : List.of("@evil.example/", ":99/x", ".evil.example/")) {
        assertThatThrownBy(
                () ->
                    client.send(
                        connection,
                        new HttpRequest("shop", "GET", path, Map.of(), null),
                        Map.of(),
                        Duration.ofSeconds(1)))
            .isInstanceOf(Rejected.class);
      }
    }
  }

  @Test
  void a_redirect_is_an_answer_and_not_followed() throws Exception {
    try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = server.accept()) {
                  InputStream in = socket.getInputStream();
                  var _ = in.read(new byte[1024]);
                  socket
                      .getOutputStream()
                      .write(
                          "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
                              .getBytes(StandardCharsets.US_ASCII));
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      Connection.Http connection =
          Connection.Http.of("shop", "http://127.0.0.1:" + server.getLocalPort())
              .privateHosts("127.0.0.1");
      try (var client = client()) {
        HttpAnswer answer =
            client.send(
                connection,
                new HttpRequest("shop", "GET", "/", Map.of(), null),
                Map.of(),
                Duration.ofSeconds(5));

        assertThat(answer.status()).isEqualTo(302);
      }
    }
  }

  @Test
  void a_header_with_a_line_break_is_refused() {
    Connection.Http connection =
        Connection.Http.of("shop", "http://127.0.0.1:1").privateHosts("127.0.0.1");
    try (var client = client()) {
      assertThatThrownBy(
              () ->
                  client.send(
                      connection,
                      new HttpRequest("shop", "GET", "/", Map.of("X", "a\r\nHost: evil"), null),
                      Map.of(),
                      Duration.ofSeconds(1)))
          .isInstanceOf(Rejected.class)
          .hasMessageContaining("not a valid HTTP header");
    }
  }

  private static AttemptBudget soon() {
    return AttemptBudget.begin(Duration.ofSeconds(5), 1 << 20);
  }

  private static HttpClient client() {
    return new HttpClient(Egress.system(), Secrets.NONE, new Redaction(), Ports.system().clock());
  }
}
