package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flows.connection.Connection;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mail against a real SMTP conversation on 127.0.0.1. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MailTest {
  private static final String FLOW =
      """
      flow: mails
      key: ${input.id}
      steps:
        - id: mail
          email: {connection: smtp, to: "${input.to}", subject: "Grüße ${input.id}", text: "line\\n.dot", html: <p>hi</p>}
          effect: {kind: notify, key: "mail/${input.id}", guard: none}
      output: ${steps.mail.output.messageId}
      """;

  /** A mail server that says what the test wants at one command. */
  private static final class Server implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    final List<String> mails = Collections.synchronizedList(new ArrayList<>());
    private final String refusedCommand;
    private final String refusal;

    Server(String refusedCommand, String refusal) throws IOException {
      this.refusedCommand = refusedCommand;
      this.refusal = refusal;
      Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
      while (!socket.isClosed()) {
        try (Socket client = socket.accept()) {
          talk(client);
        } catch (IOException e) {
          // the client left, or the test is over
        }
      }
    }

    private void talk(Socket client) throws IOException {
      var in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
      say(client, "220 test");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(refusedCommand)) {
          if (refusal.isEmpty()) {
            return;
          }
          say(client, refusal);
        } else if (line.equals("DATA")) {
          say(client, "354 go on");
          var mail = new StringBuilder();
          for (String part = in.readLine(); !part.equals("."); part = in.readLine()) {
            mail.append(part).append('\n');
          }
          mails.add(mail.toString());
          if (refusedCommand.equals(".")) {
            return;
          }
          say(client, "250 taken");
        } else if (line.startsWith("EHLO")) {
          say(client, "250-test");
          say(client, "250 8BITMIME");
        } else {
          say(client, "250 ok");
        }
      }
    }

    private static void say(Socket client, String line) throws IOException {
      client.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    FlowFiles files() {
      var smtp =
          new Connection.Smtp(
              "smtp",
              "127.0.0.1",
              socket.getLocalPort(),
              Connection.Smtp.Tls.NONE,
              "Shop <shop@example.org>",
              "user",
              "password",
              Set.of("127.0.0.1"));
      return FlowFiles.with(Ports.system())
          .connections(name -> name.equals("smtp") ? Optional.of(smtp) : Optional.empty())
          .secrets(_ -> Optional.of("mail-password"))
          .open();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void a_mail_is_sent_once_with_an_id_of_its_key() throws Exception {
    try (var server = new Server("-", "");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        Object id = test.run(flow.flow(), Map.of("id", "A", "to", "ann@example.org"));

        assertThat(id).isEqualTo("<" + test.sent("mail").getFirst().wireKey() + "@hapax>");
        assertThat(server.mails)
            .singleElement()
            .asString()
            .contains("Message-ID: " + id, "To: ann@example.org", "From: Shop <shop@example.org>")
            .contains("multipart/alternative", "\n..dot");
      }
    }
  }

  @Test
  void an_answer_that_is_lost_after_the_mail_is_a_doubt() throws Exception {
    try (var server = new Server(".", "");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A", "to", "a@example.org"));

        assertThat(test.hapax().run(run.id()).status().word()).isEqualTo("review");
        assertThat(server.mails).hasSize(1);
      }
    }
  }

  @Test
  void before_the_mail_nothing_has_happened() throws Exception {
    try (var server = new Server("RCPT", "550 nobody here");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThatThrownBy(
                () -> test.run(flow.flow(), Map.of("id", "A", "to", "nobody@example.org")))
            .isInstanceOf(RunFailed.class)
            .hasMessageContaining("smtp-550");
      }
    }
    try (var server = new Server("MAIL", "");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A", "to", "a@example.org"));

        assertThat(test.hapax().run(run.id()).status().word()).isEqualTo("waiting");
      }
    }
  }

  @Test
  void a_line_break_in_an_address_or_a_subject_is_refused() throws Exception {
    try (var server = new Server("-", "");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThatThrownBy(
                () -> test.run(flow.flow(), Map.of("id", "A", "to", "a@b.org\r\nBcc: c@d.org")))
            .hasMessageContaining("bad-address");
        assertThatThrownBy(
                () -> test.run(flow.flow(), Map.of("id", "A\r\nBcc: c@d.org", "to", "a@b.org")))
            .hasMessageContaining("bad-subject");
        assertThat(server.mails).isEmpty();
      }
    }
  }
}
