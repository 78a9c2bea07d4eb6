package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same over TLS: the address is checked before the first byte, and the name by its certificate.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsEgressTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private static Path folder;
  private static SSLContext tls;
  private static ServerSocket server;
  private static final AtomicInteger accepted = new AtomicInteger();

  /** A server of shop.example on 127.0.0.1 that sends everybody elsewhere. */
  @BeforeAll
  static void start() throws Exception {
    Path file = folder.resolve("shop.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "shop",
                "-keyalg",
                "EC",
                "-dname",
                "CN=shop.example",
                "-ext",
                "SAN=dns:shop.example",
                "-validity",
                "2",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    tls = contextOf(file);
    server =
        tls.getServerSocketFactory().createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(TlsEgressTest::serve);
  }

  private static SSLContext contextOf(Path file) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static void serve() {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        accepted.incrementAndGet();
        client.getInputStream().read(new byte[4096]);
        client
            .getOutputStream()
            .write(
                "HTTP/1.1 302 Found\r\nLocation: https://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // a client that did not like the certificate, or the end
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static HttpAnswer get(Egress egress, Connection.Http connection) throws AnswerLost {
    try (var client =
        new HttpClient(egress, Secrets.NONE, new Redaction(), Ports.system().clock())) {
      return client.send(
          connection,
          new HttpRequest("shop", "GET", "/", Map.of(), null),
          Map.of(),
          Duration.ofSeconds(20));
    }
  }

  private static Connection.Http at(String host) {
    return Connection.Http.of("shop", "https://%s:%d".formatted(host, server.getLocalPort()));
  }

  private static Egress resolving(String... addresses) {
    var asked = new AtomicInteger();
    return Egress.with(
            (_, _) ->
                new InetAddress[] {
                  InetAddress.getByName(
                      addresses[Math.min(asked.getAndIncrement(), addresses.length - 1)])
                })
        .trusting(tls.getSocketFactory());
  }

  @Test
  void a_closed_address_is_refused_before_a_byte_is_sent() {
    int before = accepted.get();

    assertThatThrownBy(() -> get(resolving("127.0.0.1"), at("shop.example")))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("'shop.example' has the address 127.0.0.1");
    assertThat(accepted).hasValue(before);
  }

  @Test
  void a_host_that_the_connection_names_is_reached_and_its_redirect_not_followed()
      throws AnswerLost {
    HttpAnswer answer =
        get(resolving("127.0.0.1"), at("shop.example").privateHosts("shop.example"));

    assertThat(answer.status()).isEqualTo(302);
  }

  @Test
  void a_name_that_changes_its_address_stays_at_the_one_that_was_checked() throws AnswerLost {
    HttpAnswer answer =
        get(resolving("127.0.0.1", "10.0.0.1"), at("shop.example").privateHosts("shop.example"));

    assertThat(answer.status()).isEqualTo(302);
  }

  @Test
  void a_server_without_the_names_certificate_gets_no_request() {
    assertThatThrownBy(
            () -> get(resolving("127.0.0.1"), at("bank.example").privateHosts("bank.example")))
        .isInstanceOf(NotApplied.class)
        .hasMessageContaining("no TLS with bank.example");
  }
}
