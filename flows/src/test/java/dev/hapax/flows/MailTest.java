package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.testkit.FlowTest;
import java.util.Map;
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

  @Test
  void a_mail_is_sent_once_with_an_id_of_its_key() throws Exception {
    try (var server = new TestMailServer("-", "");
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
    try (var server = new TestMailServer(".", "");
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
  void an_earlier_answer_that_comes_twice_says_nothing_about_the_mail() throws Exception {
    try (var server = new TestMailServer("DATA", "354 go on\r\n354 go on");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "A", "to", "a@example.org"));

        assertThat(test.hapax().run(run.id()).status().word()).isEqualTo("review");
      }
    }
  }

  @Test
  void before_the_mail_nothing_has_happened() throws Exception {
    try (var server = new TestMailServer("RCPT", "550 nobody here");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThatThrownBy(
                () -> test.run(flow.flow(), Map.of("id", "A", "to", "nobody@example.org")))
            .isInstanceOf(RunFailed.class)
            .hasMessageContaining("smtp-550");
      }
    }
    try (var server = new TestMailServer("MAIL", "");
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
    try (var server = new TestMailServer("-", "");
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

  /** The mail library writes the low byte of a character: U+010A would become a line break. */
  @Test
  void letters_of_other_scripts_begin_no_header() throws Exception {
    try (var server = new TestMailServer("-", "");
        FlowFiles files = server.files()) {
      LoadedFlow flow = files.load("mail.yaml", FLOW, 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        for (String to :
            new String[] {
              "\"Ann\u010aBcc: c@example.org\" <a@example.org>",
              "\"Ann =?utf-8?Q?=0ABcc:_c@example.org?= \u00fc\" <a@example.org>",
              "\"x\u010aBcc: c@example.org\"@example.org",
              "a@example.org (\u010aBcc: c@example.org)"
            }) {
          try {
            test.run(flow.flow(), Map.of("id", to, "to", to));
          } catch (RunFailed refused) {
            assertThat(refused).hasMessageContaining("bad-");
          }
        }
        test.run(flow.flow(), Map.of("id", "B", "to", "J\u00fcrgen <j@b\u00fccher.example>"));

        assertThat(server.mails).isNotEmpty().noneMatch(mail -> mail.contains("\nBcc"));
        assertThat(server.mails.getLast())
            .contains("To: =?UTF-8?Q?J=C3=BCrgen?= <j@xn--bcher-kva.example>");
      }
    }
  }
}
