package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.tls.PemStores;
import dev.hapax.app.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server speaks TLS by itself. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsTest {
  private static final String REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir Path folder;

  @BeforeEach
  void install() throws Exception {
    use("first");
    for (String file :
        List.of(
            "ca.crt",
            "client.crt",
            "client.key",
            "stranger.crt",
            "stranger.key",
            "ed25519.key",
            "encrypted.key",
            "second.key")) {
      Files.copy(resource(file), folder.resolve(file));
    }
  }

  private static Path resource(String name) throws Exception {
    return Path.of(
        Objects.requireNonNull(TlsTest.class.getResource("/dev/hapax/app/tls/" + name)).toURI());
  }

  private void use(String name) throws Exception {
    Files.copy(
        resource(name + ".crt"), folder.resolve("tls.crt"), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(
        resource(name + ".key"), folder.resolve("tls.key"), StandardCopyOption.REPLACE_EXISTING);
  }

  private TlsFiles files(@Nullable String clientCa, boolean required) {
    return new TlsFiles(
        folder.resolve("tls.crt"),
        folder.resolve("tls.key"),
        clientCa == null ? null : folder.resolve(clientCa),
        required);
  }

  private static Server start(TlsFiles files) {
    Route alive =
        Route.get("/healthz", TokenScope.PUBLIC, "x", _ -> RouteAnswer.ok(Map.of("ok", true)));
    return Server.start(
        new Routes(
            List.of(alive),
            _ -> null,
            tenant -> {
              throw new AssertionError(tenant);
            },
            () -> false),
        Server.Place.at("127.0.0.1", 0).tls(files));
  }

  private SSLSocket connect(Server server, @Nullable String client, String... protocols)
      throws IOException {
    SSLContext context =
        PemStores.client(
            folder.resolve("ca.crt"),
            client == null
                ? null
                : PemStores.identity(
                    folder.resolve(client + ".crt"), folder.resolve(client + ".key")));
    URI address = server.address();
    assertThat(address.getScheme()).isEqualTo("https");
    var socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), address.getPort());
    socket.setSoTimeout(10_000);
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    return socket;
  }

  private static String ask(SSLSocket socket) throws IOException {
    socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.UTF_8));
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
  }

  private static void skipRest(SSLSocket socket) throws IOException {
    int end = 0;
    while (end != '}') {
      end = socket.getInputStream().read();
    }
  }

  private static String nameOf(SSLSocket socket) throws IOException {
    return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
        .getSubjectX500Principal()
        .getName();
  }

  @Test
  void new_files_are_used_for_new_connections_and_open_ones_go_on() throws Exception {
    try (Server server = start(files(null, false));
        SSLSocket open = connect(server, null)) {
      assertThat(ask(open)).isEqualTo("HTTP/1.1 200");
      skipRest(open);
      assertThat(nameOf(open)).isEqualTo("CN=first");
      use("second");

      await(server, "CN=second");
      assertThat(ask(open)).isEqualTo("HTTP/1.1 200");
      skipRest(open);

      Files.writeString(folder.resolve("tls.crt"), "-----BEGIN CERTIFICATE-----\nhalf");
      Thread.sleep(2_500); // longer than two looks: there is nothing to wait for but time
      try (SSLSocket later = connect(server, null)) {
        assertThat(ask(later)).isEqualTo("HTTP/1.1 200");
        assertThat(nameOf(later)).isEqualTo("CN=second");
      }
      use("first");
      await(server, "CN=first");
    }
  }

  private void await(Server server, String name) throws Exception {
    for (int i = 0; i < 200; i++) {
      try (SSLSocket socket = connect(server, null)) {
        assertThat(ask(socket)).isEqualTo("HTTP/1.1 200");
        if (nameOf(socket).equals(name)) {
          return;
        }
      }
      Thread.sleep(50);
    }
    throw new AssertionError("the certificate never became " + name);
  }

  @Test
  void only_modern_protocols_are_spoken() throws Exception {
    try (Server server = start(files(null, false))) {
      for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
        try (SSLSocket socket = connect(server, null, protocol)) {
          assertThat(ask(socket)).isEqualTo("HTTP/1.1 200");
          assertThat(socket.getSession().getCipherSuite()).containsAnyOf("GCM", "CHACHA20");
        }
      }
    }
  }

  @Test
  void a_client_needs_a_certificate_of_the_right_authority() throws Exception {
    try (Server server = start(files("ca.crt", true))) {
      try (SSLSocket good = connect(server, "client")) {
        assertThat(ask(good)).isEqualTo("HTTP/1.1 200");
      }
      for (@Nullable String wrong : new @Nullable String[] {null, "stranger"}) {
        try (SSLSocket socket = connect(server, wrong)) {
          assertThatThrownBy(() -> assertThat(ask(socket)).isNotEmpty())
              .satisfiesAnyOf(
                  e -> assertThat(e).isInstanceOf(IOException.class),
                  e -> assertThat(e).isInstanceOf(AssertionError.class));
        }
      }
    }
    try (Server server = start(files("ca.crt", false));
        SSLSocket none = connect(server, null)) {
      assertThat(ask(none)).isEqualTo("HTTP/1.1 200");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"encrypted.key", "ed25519.key", "second.key", "ca.crt", "nothing.key"})
  void a_server_whose_files_are_unusable_does_not_start_and_says_why(String key) {
    var files = new TlsFiles(folder.resolve("tls.crt"), folder.resolve(key), null, false);

    assertThatThrownBy(() -> start(files))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http.tls: ")
        .hasMessageContaining(key);
  }
}
