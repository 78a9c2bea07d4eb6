package dev.hapax.store.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.Rejected;
import dev.hapax.testkit.fault.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database by host, name and user, at an address that was checked. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("server")
class PostgresPlaceTest {
  private final URI server =
      URI.create(PostgresServer.shared().newDatabase().substring("jdbc:".length()));

  private PostgresPlace at(String host, Duration timeout) {
    return new PostgresPlace(
        host,
        server.getPort(),
        server.getPath().substring(1),
        "hapax",
        null,
        timeout,
        this::socket);
  }

  private Socket socket() {
    try {
      return new Socket(InetAddress.getLoopbackAddress(), server.getPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void the_socket_goes_to_the_address_under_any_name() throws Exception {
    var database = SqlDestination.of(at("books.invalid", Duration.ofSeconds(20)));

    database.run("CREATE TABLE bookings (id text)", Map.of());
    for (int i = 0; i < 2; i++) {
      database.once(
          "marker",
          session -> "" + session.run("INSERT INTO bookings VALUES (:id)", Map.of("id", "A")));
    }

    assertThat(database.run("SELECT id FROM bookings", Map.of()).rows()).hasSize(1);
  }

  @Test
  void a_host_cannot_carry_settings_of_the_driver() {
    for (String host : List.of("a,b", "a/b?socketFactory=x", "a:1", "", "a@b")) {
      assertThatThrownBy(() -> at(host, Duration.ofSeconds(20)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_statement_has_a_time_limit() {
    var hasty = at("books.invalid", Duration.ofMillis(50));

    assertThatThrownBy(() -> SqlDestination.of(hasty).run("SELECT pg_sleep(60)", Map.of()))
        .hasMessageContaining("statement timeout");
  }

  @Test
  void rows_of_all_shapes_pass_the_check_of_their_lengths() throws Exception {
    var database = SqlDestination.of(at("books.invalid", Duration.ofSeconds(20)));

    var result =
        database.run(
            "SELECT i, NULL AS nothing, '' AS empty, repeat('x', i) AS text"
                + " FROM generate_series(0, 5000) AS i",
            Map.of());

    assertThat(result.rows()).hasSize(5001);
    assertThat(result.rows().get(4321).get("text")).isEqualTo("x".repeat(4321));
    assertThat(result.rows().get(7)).containsEntry("nothing", null).containsEntry("empty", "");
  }

  @Test
  void a_result_that_is_too_large_is_refused_for_good() {
    var database = SqlDestination.of(at("books.invalid", Duration.ofSeconds(20)));

    assertThatThrownBy(
            () -> database.run("SELECT repeat('x', 1000000) FROM generate_series(1, 20)", Map.of()))
        .isInstanceOf(Rejected.class)
        .hasMessageContaining("add a LIMIT");
  }

  @Test
  void notices_are_left_out() throws Exception {
    var database = SqlDestination.of(at("books.invalid", Duration.ofSeconds(20)));

    var result =
        database.run(
            "DO $$ BEGIN FOR i IN 1..500 LOOP RAISE NOTICE 'again %', i; END LOOP; END $$",
            Map.of());

    assertThat(result.rows()).isEmpty();
  }
}
