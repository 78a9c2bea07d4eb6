package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import dev.hapax.app.crash.AlertPager.Heard;
import dev.hapax.app.crash.AlertPager.Mood;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed at several points between an alert and its delivery: each alert arrives,
 * under one id.
 */
@Tag("crash")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledAlertsTest {
  private static final String ALERTS =
      """
      alerts={"failed": [{"webhook": {"connection": "pager"}}], "lease lost": [{"webhook": {"connection": "pager"}}], "window": "1s"}""";

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  private ServerProcess server;

  @SuppressWarnings("NullAway.Init")
  private AlertPager pager;

  @Test
  void no_alert_is_lost_and_each_cause_has_one_id() throws Exception {
    server = start();
    try (var receiver = new AlertPager()) {
      pager = receiver;
      connect();

      fail("at-once");
      killAndStart(); // as soon as the run has failed: the alert is written, and perhaps on its way
      awaitHeard("at-once", true);

      receiver.mood(Mood.SILENT);
      fail("in-delivery");
      awaitHeard("in-delivery", false);
      receiver.mood(Mood.REFUSES); // from the next request on
      killAndStart(); // the receiver has the request, and the server has no answer

      fail("between-attempts");
      awaitHeard("between-attempts", false);
      receiver.mood(Mood.ACCEPTS);
      killAndStart();

      fail("delivered");
      awaitHeard("delivered", true);
      killAndStart(); // the answer may be on its way to the journal

      for (String flow : List.of("at-once", "in-delivery", "between-attempts", "delivered")) {
        awaitHeard(flow, true);
        assertThat(heard(flow).stream().map(Heard::id).distinct())
            .as("ids of the alerts about %s", flow)
            .hasSize(1);
      }
      awaitLeaseAlert();
      server.stop();
    } finally {
      server.close();
    }
  }

  private List<Heard> heard(String flow) {
    return pager.all().stream()
        .filter(heard -> heard.type().equals("hapax.alert.failed") && heard.flow().equals(flow))
        .toList();
  }

  private void awaitHeard(String flow, boolean isAccepted) throws InterruptedException {
    while (heard(flow).stream().noneMatch(heard -> heard.isAccepted() == isAccepted)) {
      assertThat(pager.next()).as("nothing came: %s", types()).isNotNull();
    }
  }

  /** A run that was in memory when the server was killed had a process that lost its lease. */
  private void awaitLeaseAlert() throws InterruptedException {
    while (pager.all().stream()
        .noneMatch(heard -> heard.isAccepted() && heard.type().equals("hapax.alert.lease-lost"))) {
      assertThat(pager.next()).as("no alert about a lease came: %s", types()).isNotNull();
    }
  }

  private String types() {
    return pager.all().stream()
        .map(heard -> heard.type() + " " + heard.flow())
        .collect(Collectors.joining(", "));
  }

  private ServerProcess start() throws Exception {
    return new ServerProcess(folder, List.of("-Xmx192m"), ALERTS);
  }

  private void killAndStart() throws Exception {
    server.kill();
    server.close();
    server = start();
  }

  private void connect() throws Exception {
    String token = server.token();
    ServerProcess.must(
        server.ask(
            token,
            "PUT",
            "/api/secrets/signing",
            "{\"value\": \"whsec_MDEyMzQ1Njc4OWFiY2RlZg==\", \"hosts\": [\"127.0.0.1\"]}"));
    ServerProcess.must(
        server.ask(
            token,
            "PUT",
            "/api/connections/pager",
            """
            {"webhook": {"url": "http://127.0.0.1:%d/", "secret": "signing", "privateHosts": ["127.0.0.1"]}}"""
                .formatted(pager.port())));
    for (String flow : List.of("at-once", "in-delivery", "between-attempts", "delivered")) {
      server.release(
          token,
          "flow: %s\nkey: ${input.id}\nsteps:\n  - {id: no, fail: {code: no-room}}\n"
              .formatted(flow));
    }
  }

  private void fail(String flow) throws Exception {
    String path = "/api/flows/" + flow + "/runs";
    String run =
        ServerProcess.must(server.ask(server.token(), "POST", path, "{\"id\": \"A-1\"}")).at("/id");
    while (!server.get(server.token(), "/api/runs/" + run).at("/status").equals("failed")) {
      LockSupport.parkNanos(1_000_000);
    }
  }
}
