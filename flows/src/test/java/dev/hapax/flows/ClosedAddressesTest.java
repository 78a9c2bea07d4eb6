package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.store.destination.PostgresPlace;
import dev.hapax.store.destination.SqlDestination;
import dev.hapax.testkit.FlowTest;
import dev.hapax.testkit.fault.ClosedAddresses;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every step that goes out is refused what flows may not reach, in whichever form it is written.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedAddressesTest {
  static Stream<String> addresses() {
    return ClosedAddresses.KINDS.stream()
        .flatMap(host -> Stream.of("http://" + host, "https://" + host));
  }

  private static FlowFiles files(Connection... connections) {
    return FlowFiles.with(Ports.system())
        .connections(
            name ->
                Stream.of(connections)
                    .filter(connection -> connection.name().equals(name))
                    .findFirst())
        .secrets(_ -> Optional.of("whsec_MDEyMzQ1Njc4OWFiY2RlZg=="))
        .open();
  }

  private static String failure(FlowFiles files, String text, Map<String, Object> input) {
    LoadedFlow flow = files.load("closed.yaml", text, 1);
    try (FlowTest test = FlowTest.of()) {
      files.register(test.hapax(), flow);
      return test.history(test.start(flow.flow(), input)).toString();
    }
  }

  private static void assertRefused(String told) {
    assertThat(told).contains("address-refused", "which flows may not reach", "privateHosts");
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void by_http(String address) {
    try (FlowFiles files = files(Connection.Http.of("shop", address))) {
      assertRefused(
          failure(
              files,
              """
              flow: f
              key: ${input.url}
              steps:
                - id: ask
                  http: {url: "${input.url}"}
              """,
              Map.of("url", address + "/x")));
      assertRefused(
          failure(
              files,
              """
              flow: g
              key: ${input.url}
              steps:
                - id: send
                  http: {connection: shop, method: POST, path: /x}
                  effect: {kind: create, key: "${input.url}", guard: keyed}
              """,
              Map.of("url", address)));
    }
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void by_a_lookup(String address) throws Exception {
    try (var server = new TestServer(_ -> null);
        FlowFiles files = files(server.connection("shop"), Connection.Http.of("in", address))) {
      String told =
          failure(
              files,
              """
              flow: f
              key: ${input.id}
              steps:
                - id: send
                  http: {connection: shop, method: POST, path: /x}
                  effect:
                    kind: create
                    key: ${input.id}
                    guard: {lookup: {http: {connection: in, path: /x}, found: "${true}", settle: 1ms}}
                  retry: {attempts: 1}
              """,
              Map.of("id", "A"));
      assertThat(told).contains("which flows may not reach");
    }
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void by_messages(String address) {
    URI url = URI.create(address);
    try (FlowFiles files = files(new Connection.Webhook("hook", url, "sign", Set.of()))) {
      LoadedFlow flow =
          files.load(
              "tell.yaml",
              """
              flow: f
              key: ${input.url}
              steps:
                - id: named
                  publish: {connection: hook, type: t, data: 1}
                - id: anywhere
                  publish: {url: "${input.url}", type: t, data: 1}
              """,
              1);
      try (FlowTest test = FlowTest.of()) {
        files.register(test.hapax(), flow);
        test.start(flow.flow(), Map.of("url", address));
        test.move(Duration.ofSeconds(1));

        List<String> deliveries =
            test.hapax().runs(test.hapax().runs()).stream()
                .filter(run -> !run.flow().equals("f"))
                .map(run -> test.hapax().history(run.id().toString()).toString())
                .toList();
        assertThat(deliveries).hasSize(2).allSatisfy(ClosedAddressesTest::assertRefused);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void by_mail(String address) {
    URI uri = URI.create(address);
    Connection.Smtp.Tls tls =
        uri.getScheme().equals("https")
            ? Connection.Smtp.Tls.IMPLICIT
            : Connection.Smtp.Tls.STARTTLS;
    var smtp =
        new Connection.Smtp("smtp", uri.getHost(), 25, tls, "a@example.org", null, null, Set.of());
    try (FlowFiles files = files(smtp)) {
      assertRefused(
          failure(
              files,
              """
              flow: f
              key: ${input.id}
              steps:
                - id: mail
                  email: {connection: smtp, to: a@example.org, subject: s, text: t}
                  effect: {kind: notify, key: "${input.id}", guard: none}
              """,
              Map.of("id", "A")));
    }
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void by_a_database(String address) {
    assertRefused(booked(postgres(URI.create(address).getHost(), 5432, "books", Set.of())));
  }

  @Test
  @Tag("server")
  void a_database_that_the_connection_names_is_reached() {
    URI server = URI.create(PostgresServer.shared().newDatabase().substring("jdbc:".length()));

    String told =
        booked(
            postgres(
                "127.0.0.1", server.getPort(), server.getPath().substring(1), Set.of("127.0.0.1")));

    assertThat(told).contains("done step book attempt 1");
  }

  private static Connection.Postgres postgres(
      String host, int port, String database, Set<String> privateHosts) {
    return new Connection.Postgres(
        "books",
        host,
        port,
        database,
        "hapax",
        null,
        Connection.Postgres.Tls.NONE,
        privateHosts,
        ConnectionLimits.NONE);
  }

  private static String booked(Connection.Postgres connection) {
    try (FlowFiles files =
        FlowFiles.with(Ports.system())
            .connections(_ -> Optional.of(connection))
            .databases(
                (place, sockets, password, timeout) ->
                    SqlDestination.of(
                        new PostgresPlace(
                            place.host(),
                            place.port(),
                            place.database(),
                            place.user(),
                            password,
                            timeout,
                            sockets)))
            .open()) {
      return failure(
          files,
          """
          flow: f
          key: ${input.id}
          steps:
            - id: book
              db: {connection: books, sql: "CREATE TABLE bookings (id text)"}
              effect: {kind: create, key: "${input.id}", guard: transaction}
          """,
          Map.of("id", "A"));
    }
  }

  @Test
  void a_whole_address_has_no_connection_that_could_allow_it() throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"));
        FlowFiles files = files(server.connection("shop"))) {
      assertRefused(
          failure(
              files,
              """
              flow: f
              key: ${input.url}
              steps:
                - id: allowed
                  http: {connection: shop, path: /}
                - id: ask
                  http: {url: "${input.url}"}
              """,
              Map.of("url", server.base())));
      assertThat(server.requests()).hasSize(1);
    }
  }
}
