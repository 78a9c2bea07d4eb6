package dev.hapax.store.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.NotApplied;
import dev.hapax.testkit.fault.PostgresServer;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database by host, name and user, at an address that was checked. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class PostgresPlaceTest {
  private final URI server =
      URI.create(PostgresServer.shared().newDatabase().substring("jdbc:".length()));

  private PostgresPlace at(String host, String user, PostgresPlace.Tls tls) {
    return new PostgresPlace(
        host,
        List.of(InetAddress.getLoopbackAddress()),
        server.getPort(),
        server.getPath().substring(1),
        user,
        null,
        tls,
        Duration.ofSeconds(20));
  }

  @Test
  void the_socket_goes_to_the_address_whatever_the_name_is() throws Exception {
    var database = SqlDestination.of(at("books.invalid", "hapax", PostgresPlace.Tls.NONE));

    database.run("CREATE TABLE bookings (id text)", Map.of());
    for (int i = 0; i < 2; i++) {
      database.once(
          "marker",
          session -> "" + session.run("INSERT INTO bookings VALUES (:id)", Map.of("id", "A")));
    }

    assertThat(database.run("SELECT id FROM bookings", Map.of()).rows()).hasSize(1);
  }

  @Test
  void nothing_is_sent_without_the_encryption_that_was_asked_for() {
    var database = SqlDestination.of(at("books.invalid", "hapax", PostgresPlace.Tls.VERIFIED));

    assertThatThrownBy(() -> database.run("SELECT 1", Map.of()))
        .isInstanceOf(NotApplied.class)
        .hasMessageContaining("SSL");
  }

  @Test
  void a_host_cannot_carry_settings_of_the_driver() {
    for (String host : List.of("a,b", "a/b?socketFactory=x", "a:1", "", "a@b")) {
      assertThatThrownBy(() -> at(host, "hapax", PostgresPlace.Tls.NONE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_statement_has_a_time_limit() {
    var place = at("books.invalid", "hapax", PostgresPlace.Tls.NONE);
    var hasty =
        new PostgresPlace(
            place.host(),
            place.addresses(),
            place.port(),
            place.database(),
            place.user(),
            null,
            place.tls(),
            Duration.ofMillis(50));

    assertThatThrownBy(() -> SqlDestination.of(hasty).run("SELECT pg_sleep(60)", Map.of()))
        .hasMessageContaining("statement timeout");
  }
}
