package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.CatchUp;
import dev.hapax.NextInstants;
import dev.hapax.RunHandle;
import dev.hapax.Schedule;
import dev.hapax.Verdict;
import dev.hapax.flow.Run;
import dev.hapax.flows.connection.Connection;
import dev.hapax.json.Json;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** People hear of what happens, once for each cause, over real mail and HTTP servers. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AlertChannelsTest {
  private static final Duration WINDOW = Duration.ofHours(2);

  private static final String FAILING =
      """
      flow: %s
      key: ${input.id}
      alerts:
        failed: [%s]
        window: 1h
      steps:
        - id: charge
          when: ${input.code == 'no-room'}
          fail: {code: no-room, message: "no room for ${input.id}"}
        - id: pay
          fail: {code: no-money, message: "no money for ${input.id}"}
      """;

  private static final String ASKING =
      """
      flow: asks
      key: ${input.id}
      steps:
        - id: draft
          set: {text: "${rework == null ? 'first' : 'second'}"}
        - id: release
          approval:
            ask: Publish ${input.id}?
            roles: [editor]
            expires: 3d
            rework: draft
            notify: [{email: {connection: smtp, to: "${input.id}@example.org"}}, {webhook: {connection: pager}}]
      """;

  private static final String MAIL = "{email: {connection: smtp, to: [ops@example.org]}}";

  private TestMailServer mail;
  private TestServer server;
  private FlowFiles files;

  @BeforeEach
  void open() throws IOException {
    mail = new TestMailServer("-", "");
    server = new TestServer(_ -> TestServer.Answer.json(204, ""));
    files = newFiles();
  }

  @AfterEach
  void close() throws IOException {
    files.close();
    server.close();
    mail.close();
  }

  private FlowFiles newFiles() {
    return FlowFiles.with(Ports.system())
        .connections(
            name ->
                Optional.of(
                    name.equals("smtp")
                        ? mail.connection()
                        : new Connection.Webhook(
                            name,
                            URI.create(server.base() + "/" + name),
                            "signing",
                            Set.of("127.0.0.1"))))
        .secrets(_ -> Optional.of("whsec_MDEyMzQ1Njc4OWFiY2RlZg=="))
        .approvalUrl("https://hapax.example.org/approvals/")
        .open();
  }

  private LoadedFlow load(FlowTest test, String text) {
    LoadedFlow flow = files.load("f.yaml", text, 1);
    files.register(test.hapax(), flow);
    return flow;
  }

  private static void start(FlowTest test, LoadedFlow flow, String id, String code) {
    var _ = test.start(flow.flow(), Map.of("id", id, "code", code));
  }

  private static String header(String mail, String name) {
    var found = Pattern.compile("(?m)^" + name + ": (.*)$").matcher(mail);
    assertThat(found.find()).as(mail).isTrue();
    return found.group(1).strip();
  }

  private static String link(String mail) {
    var found = Pattern.compile("/approvals/(\\S+)").matcher(mail.replace("=\n", ""));
    assertThat(found.find()).as(mail).isTrue();
    return found.group(1);
  }

  /** A delivery is a run of its own, which begins after the run that published it has ended. */
  private void awaitMails(FlowTest test, int count) {
    for (int i = 0; i < 50 && mail.mails.size() < count; i++) {
      test.move(Duration.ofSeconds(1));
    }
    assertThat(mail.mails).hasSize(count);
  }

  @Test
  void many_failures_of_one_cause_are_one_mail_and_then_their_count() {
    try (FlowTest test = FlowTest.of()) {
      LoadedFlow flow = load(test, FAILING.formatted("charges", MAIL));
      for (int i = 0; i < 60; i++) {
        start(test, flow, "A" + i, "no-room");
      }
      start(test, flow, "B", "no-money");

      awaitMails(test, 2);
      assertThat(mail.mails.getFirst())
          .contains("Subject: [hapax] failed: flow charges step charge no-room\n")
          .contains("count: 1", "no room for A0", "To: ops@example.org");

      test.move(WINDOW);

      awaitMails(test, 3);
      assertThat(mail.mails.getLast())
          .contains("(60 times)", "count: 60", "first: r-", "last: r-", "runs: r-");
      assertThat(mail.mails.stream().map(sent -> header(sent, "Message-ID")))
          .doesNotHaveDuplicates();

      test.move(Duration.ofDays(2));
      assertThat(mail.mails).hasSize(3);
    }
  }

  @Test
  void a_crash_in_the_window_neither_loses_nor_repeats_an_alert() {
    try (FlowTest test = FlowTest.of()) {
      LoadedFlow flow = load(test, FAILING.formatted("charges", MAIL));
      start(test, flow, "A", "no-room");
      start(test, flow, "B", "no-room");
      awaitMails(test, 1);

      test.crash();
      files.close();
      files = newFiles();
      flow = load(test, FAILING.formatted("charges", MAIL));
      start(test, flow, "C", "no-room");
      test.move(WINDOW);

      awaitMails(test, 2);
      assertThat(mail.mails.getLast()).contains("count: 3");
    }
  }

  @Test
  void a_mail_whose_answer_is_lost_is_sent_again_under_the_same_id() throws Exception {
    mail.close();
    mail = new TestMailServer(".", ""); // takes the mail, and hangs up
    try (FlowTest test = FlowTest.of()) {
      start(test, load(test, FAILING.formatted("charges", MAIL)), "A", "no-room");
      test.move(Duration.ofSeconds(10));

      assertThat(mail.mails).hasSizeGreaterThan(1);
      assertThat(mail.mails.stream().map(sent -> header(sent, "Message-ID")).distinct()).hasSize(1);
    }
  }

  @Test
  void an_alert_goes_to_a_webhook_with_a_signature() {
    try (FlowTest test = FlowTest.of()) {
      LoadedFlow flow = load(test, FAILING.formatted("charges", "{webhook: {connection: pager}}"));
      start(test, flow, "A", "no-room");

      assertThat(server.requests()).hasSize(1);
      TestServer.Request sent = server.requests().getFirst();
      assertThat(sent.target()).isEqualTo("/pager");
      assertThat(sent.header("webhook-signature")).startsWith("v1,");
      Map<?, ?> body = Json.read(sent.body(), Map.class);
      assertThat(body.get("type")).isEqualTo("hapax.alert.failed");
      assertThat(String.valueOf(body.get("data"))).contains("no-room", "flow=charges", "count=1");
    }
  }

  @Test
  void instants_that_get_no_run_are_reported_with_their_schedule() {
    try (FlowTest test = FlowTest.of()) {
      LoadedFlow flow =
          load(
              test,
              """
              flow: report
              alerts: {missed schedule: [{webhook: {connection: pager}}]}
              steps:
                - {id: note, set: {text: hello}}
              """);
      test.hapax()
          .schedules()
          .add(
              Schedule.named("hourly")
                  .flow(flow.flow())
                  .input(Map.of())
                  .at(NextInstants.every(Duration.ofHours(1), Instant.EPOCH))
                  .catchUp(CatchUp.NONE));
      test.move(Duration.ofMinutes(185));
      awaitRequest(test);

      assertThat(server.requests().getFirst().body())
          .contains("hapax.alert.missed-schedule", "\"schedule\":\"hourly\"", "skipped");
    }
  }

  /** Time moves on a little until a request has come: a schedule works beside the runs. */
  private void awaitRequest(FlowTest test) {
    while (server.requests().isEmpty()) {
      test.move(Duration.ofMillis(10));
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void a_flow_that_is_a_channel_is_started_once_and_is_not_told_of_its_own_failure() {
    try (FlowTest test = FlowTest.of()) {
      String back =
          FAILING.formatted("tell", "{flow: charges}").replace("${input.id}", "${input.alert}");
      var _ = load(test, back);
      LoadedFlow flow = load(test, FAILING.formatted("charges", "{flow: tell}"));
      start(test, flow, "A", "no-room");
      test.move(WINDOW);
      test.move(WINDOW);

      List<Run> told = test.hapax().runs(test.hapax().runs().flow("tell"));
      assertThat(told)
          .singleElement()
          .satisfies(run -> assertThat(run.input()).contains("no-room"));
      assertThat(test.hapax().runs(test.hapax().runs().flow("charges"))).hasSize(1);
    }
  }

  @Test
  void people_are_told_of_an_approval_once_in_each_round_with_its_link() {
    try (FlowTest test = FlowTest.of()) {
      LoadedFlow flow = load(test, ASKING);
      RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "page"));
      awaitMails(test, 1);
      assertThat(mail.mails.getFirst())
          .contains("To: page@example.org", "Subject: [hapax] approval: Publish page?")
          .contains("https://hapax.example.org/approvals/");
      assertThat(server.requests()).hasSize(1);
      assertThat(test.history(run)).anyMatch(entry -> entry.type().equals("notified"));
      // The link is made when it is delivered, and stored nowhere.
      String link = link(mail.mails.getFirst());
      assertThat(test.hapax().history(run.id()).toString()).doesNotContain(link);

      test.crash();
      files.close();
      files = newFiles();
      var _ = load(test, ASKING);
      test.move(Duration.ofHours(1));
      assertThat(mail.mails).hasSize(1);

      var open = test.hapax().approvals().list(test.hapax().approvals().open()).getFirst();
      var _ =
          test.hapax().approvals().decide(open.id(), Verdict.rework("ada", "no").roles("editor"));
      test.move(Duration.ofSeconds(1));
      awaitMails(test, 2);
      assertThat(mail.mails.getLast()).contains("round: 2");
    }
  }
}
