package dev.hapax.app.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line calls servers whose authority the system does not know. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class TrustTest {
  @TempDir Path folder;

  private static Path file(String name) throws Exception {
    return Path.of(
        Objects.requireNonNull(TrustTest.class.getResource("/dev/hapax/app/tls/" + name)).toURI());
  }

  private static Server start(boolean asksForCertificates) throws Exception {
    Route alive =
        Route.get("/healthz", TokenScope.PUBLIC, "x", _ -> RouteAnswer.ok(Map.of("ok", true)));
    var files =
        new TlsFiles(
            file("first.crt"),
            file("first.key"),
            asksForCertificates ? file("ca.crt") : null,
            asksForCertificates);
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

  private static int ask(Server server, Trust trust) {
    var target = new Target(Address.of(server.address().toString()), null, trust);
    return new ServerClient(target).ask(ServerRequest.get("/healthz")).status();
  }

  @Test
  void a_server_is_trusted_by_a_given_authority_only() throws Exception {
    try (Server server = start(false)) {
      assertThat(ask(server, new Trust(file("ca.crt"), null))).isEqualTo(200);
      for (Trust other : List.of(Trust.SYSTEM, new Trust(file("stranger.crt"), null))) {
        assertThatThrownBy(() -> ask(server, other))
            .isInstanceOfSatisfying(
                Refusal.class, refused -> assertThat(refused.hint()).contains("--ca FILE"));
      }
      assertThatThrownBy(() -> ask(server, new Trust(folder.resolve("none.crt"), null)))
          .isInstanceOfSatisfying(
              Refusal.class, refused -> assertThat(refused.message()).contains("does not exist"));
    }
  }

  @Test
  void a_server_that_asks_for_a_certificate_gets_the_callers() throws Exception {
    Path own = folder.resolve("me.pem");
    Files.writeString(
        own, Files.readString(file("client.crt")) + Files.readString(file("client.key")));
    try (Server server = start(true)) {
      assertThat(ask(server, new Trust(file("ca.crt"), own))).isEqualTo(200);
      assertThatThrownBy(() -> ask(server, new Trust(file("ca.crt"), null)))
          .isInstanceOf(Refusal.class);
    }
  }
}
