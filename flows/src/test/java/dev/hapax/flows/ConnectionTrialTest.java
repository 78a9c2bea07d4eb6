package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.flows.connection.TrialReport;
import dev.hapax.flows.connection.TrialStage;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection can be tried, and nothing happens at its destination. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionTrialTest {
  private static final String SECRET = "s3cret-that-nobody-sees";

  private static TrialReport report(Connection connection) {
    return report(
        connection, name -> name.equals("token") ? Optional.of(SECRET) : Optional.empty());
  }

  private static TrialReport report(Connection connection, Secrets secrets) {
    try (FlowFiles files =
        FlowFiles.with(Ports.system())
            .connections(
                name -> name.equals(connection.name()) ? Optional.of(connection) : Optional.empty())
            .secrets(secrets)
            .open()) {
      assertThat(files.tryConnection("another")).isEmpty();
      TrialReport report = files.tryConnection(connection.name()).orElseThrow();
      assertThat(report.toString().replace(connection.toString(), "")).doesNotContain(SECRET);
      return report;
    }
  }

  private static List<String> outcomes(TrialReport report) {
    return report.stages().stream().map(stage -> stage.stage() + " " + stage.outcome()).toList();
  }

  private static TrialStage last(TrialReport report) {
    return report.stages().getLast();
  }

  @Test
  void an_http_connection_is_read_at_its_test_path_with_its_credential() throws Exception {
    try (var server =
        new TestServer(
            request ->
                TestServer.Answer.json(
                    request.header("authorization").equals("Bearer " + SECRET) ? 200 : 401,
                    "{\"echo\": \"%s\"}".formatted(request.header("authorization"))))) {
      var shop = server.connection("shop").auth(new Connection.Auth.Bearer("token")).test("/me");

      TrialReport right = report(shop);
      TrialReport wrong = report(shop, _ -> Optional.of("another"));

      assertThat(outcomes(right))
          .containsExactly("resolve ok", "connect ok", "request ok", "authenticate ok");
      assertThat(right.isOk()).isTrue();
      assertThat(outcomes(wrong)).endsWith("authenticate failed");
      assertThat(last(wrong).fix()).contains("Write secret 'token' again");
      assertThat(wrong.isOk()).isFalse();
      assertThat(server.requests())
          .extracting(request -> request.method() + " " + request.target())
          .containsOnly("GET /me");
    }
  }

  @Test
  void without_a_test_path_only_the_head_is_asked_and_the_secret_is_not_proven() throws Exception {
    try (var server = new TestServer(_ -> new TestServer.Answer(404, java.util.Map.of(), ""))) {
      TrialReport open = report(server.connection("shop"));
      TrialReport keyed =
          report(server.connection("shop").auth(new Connection.Auth.Header("X-Key", "token")));

      assertThat(outcomes(open)).containsExactly("resolve ok", "connect ok", "request ok");
      assertThat(outcomes(keyed)).endsWith("authenticate unknown");
      assertThat(last(keyed).fix()).contains("Add 'test'");
      assertThat(keyed.isOk()).isTrue();
      assertThat(server.requests()).allMatch(request -> request.method().equals("HEAD"));
    }
  }

  @Test
  void a_destination_that_fails_or_a_wrong_test_path_is_said() throws Exception {
    try (var server =
        new TestServer(
            request ->
                TestServer.Answer.json(request.target().equals("/down") ? 503 : 404, "{}"))) {
      assertThat(last(report(server.connection("shop").test("/down"))).detail())
          .isEqualTo("GET /down: HTTP 503");
      assertThat(last(report(server.connection("shop").test("/gone"))).fix())
          .isEqualTo("Correct 'test' of the connection.");
    }
  }

  @Test
  void a_closed_address_is_not_reached() throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"))) {
      TrialReport report = report(Connection.Http.of("shop", server.base()));

      assertThat(outcomes(report)).containsExactly("resolve failed");
      assertThat(last(report).detail()).contains("which flows may not reach");
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void a_port_where_nothing_listens_is_said() throws IOException {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    TrialReport report =
        report(Connection.Http.of("shop", "http://127.0.0.1:" + free).privateHosts("127.0.0.1"));

    assertThat(outcomes(report)).containsExactly("resolve ok", "connect failed");
  }

  @Test
  void a_destination_without_tls_is_said() throws Exception {
    try (var server = new ServerSocket(0)) {
      Thread.startVirtualThread(() -> refuseAsHttp(server));

      TrialReport report = report(encrypted(server.getLocalPort()));

      assertThat(outcomes(report)).containsExactly("resolve ok", "connect ok", "tls failed");
    }
  }

  /** This one waits for the line's end of a request, until the trial gives up. */
  @Test
  @Tag("attack")
  void a_destination_that_says_nothing_to_tls_is_given_up() throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"))) {
      TrialReport report = report(encrypted(server.port()));

      assertThat(outcomes(report)).containsExactly("resolve ok", "connect ok", "tls failed");
    }
  }

  private static Connection.Http encrypted(int port) {
    return Connection.Http.of("shop", "https://127.0.0.1:" + port).privateHosts("127.0.0.1");
  }

  private static void refuseAsHttp(ServerSocket server) {
    try (Socket caller = server.accept()) {
      caller.getInputStream().read();
      caller
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_mail_server_is_greeted_and_no_mail_is_sent() throws Exception {
    try (var server = new TestMailServer("nothing", "")) {
      TrialReport report = report(withLogin(server.connection()));

      assertThat(outcomes(report))
          .containsExactly("resolve ok", "connect ok", "greeting ok", "authenticate ok", "noop ok");
      server.awaitConversations();
      assertThat(server.mails).isEmpty();
    }
  }

  @Test
  void a_mail_server_that_refuses_the_password_is_said() throws Exception {
    try (var server = new TestMailServer("AUTH", "535 wrong: " + SECRET)) {
      TrialReport report = report(withLogin(server.connection()));

      assertThat(outcomes(report)).endsWith("greeting ok", "authenticate failed");
      assertThat(last(report).detail()).contains("535 wrong");
      assertThat(last(report).fix()).contains("write secret 'token' again");
    }
  }

  private static Connection.Smtp withLogin(Connection.Smtp smtp) {
    return new Connection.Smtp(
        smtp.name(),
        smtp.host(),
        smtp.port(),
        smtp.tls(),
        smtp.from(),
        "me",
        "token",
        smtp.privateHosts());
  }

  @Test
  void a_receiver_gets_no_message() throws Exception {
    try (var server = new TestServer(_ -> new TestServer.Answer(405, java.util.Map.of(), ""))) {
      TrialReport report =
          report(
              new Connection.Webhook(
                  "receiver", URI.create(server.base() + "/in"), "token", Set.of("127.0.0.1")));
      TrialReport unsigned =
          report(
              new Connection.Webhook(
                  "receiver", URI.create(server.base()), "absent", Set.of("127.0.0.1")));

      assertThat(outcomes(report))
          .containsExactly("resolve ok", "connect ok", "secret ok", "request ok", "accept unknown");
      assertThat(outcomes(unsigned)).endsWith("secret failed");
      assertThat(server.requests()).allMatch(request -> request.method().equals("HEAD"));
    }
  }

  @Test
  void a_database_of_the_program_answers_a_query() {
    var asked = new java.util.ArrayList<String>();
    var database =
        new SqlDatabase() {
          @Override
          public Result run(String sql, java.util.Map<String, ?> params) {
            asked.add(sql);
            return new Result(List.of(), 1);
          }

          @Override
          public String once(String marker, Work<Session> work) {
            throw new AssertionError("a trial writes nothing");
          }
        };

    assertThat(outcomes(report(new Connection.Database("books", database))))
        .containsExactly("query ok");
    assertThat(asked).containsExactly("SELECT 1");
  }
}
