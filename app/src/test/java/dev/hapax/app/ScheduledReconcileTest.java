package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import dev.hapax.app.dev.DevClock;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow file can have its effects reconciled by a schedule, and people hear of differences. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScheduledReconcileTest {
  private static final String NAME = "hapax.reconcile/bill/invoice";
  private static final String ALARM =
      """
      flow: alarm
      key: ${input.id}
      steps:
        - id: keep
          kv: {put: {key: "alarm/${input.flow}", value: "${input}"}}
      """;
  private static final String BILL =
      """
      flow: bill
      key: ${input.id}
      alerts: {differences: [{flow: alarm}]}
      steps:
        - id: invoice
          http: {connection: books, method: POST, path: /invoices, body: {order: "${input.id}", cents: 900}}
          effect:
            kind: create
            key: ${input.id}
            guard:
              lookup:
                http: {connection: books, path: "/invoices/${effect.key}"}
                found: ${response.status == 200}
                settle: 100ms
            externalId: ${output.body.id}
            reconcile:
              rate: 100
              schedule: {cron: "* * * * *", timezone: Europe/Berlin, last: 10d}
      """;

  @TempDir private Path folder;
  private Books books;
  private DevClock clock;

  @BeforeEach
  void open() throws IOException {
    books = new Books();
    clock = DevClock.open(Ports.system().clock(), folder.resolve("clock"));
  }

  @AfterEach
  void close() {
    books.close();
  }

  private TestServer openServer() throws IOException {
    Ports real = Ports.system();
    return new TestServer(
        folder,
        Extras.with(
            UnaryOperator.identity(),
            new Ports(clock, real.random(), real.threads()),
            Companion.NONE));
  }

  @Test
  void promotion_installs_the_schedule_it_alerts_of_differences_and_retirement_ends_it()
      throws Exception {
    try (var server = openServer()) {
      server.put("/api/connections/books", books.connection());
      server.release(ALARM);
      server.release(BILL);
      server.post("/api/flows/bill/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20");
      books.remove("A-1");

      Reply schedule = server.get("/api/schedules/" + NAME.replace("/", "%2F"));
      assertThat(schedule.status()).as("%s", schedule.body()).isEqualTo(200);
      assertThat(schedule.at("/flow")).isEqualTo("bill");
      assertThat(schedule.at("/reconciles")).isEqualTo("invoice");
      assertThat(schedule.at("/timezone")).isEqualTo("Europe/Berlin");
      // An instant after the run: the reconciliation looks at what was done before it.
      server.post("/api/schedules/" + NAME.replace("/", "%2F") + "/pause", "");
      clock.move(Duration.ofMinutes(1));
      Instant minute = clock.now().truncatedTo(ChronoUnit.MINUTES);
      Reply begun =
          server.post(
              "/api/schedules/" + NAME.replace("/", "%2F") + "/backfill",
              "{\"from\": \"%s\", \"to\": \"%s\"}".formatted(minute, minute));
      assertThat(begun.at("/started")).as("%s", begun.body()).isEqualTo("1");
      Reply alarm = server.get("/api/kv/alarm%2Fbill");
      while (alarm.status() != 200) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        alarm = server.get("/api/kv/alarm%2Fbill");
      }
      assertThat(alarm.at("/value/alert")).as("%s", alarm.body()).isEqualTo("differences");
      assertThat(alarm.at("/value/message")).contains("hapax reconcile show");
      Reply found = server.get("/api/reconciliations/" + alarm.at("/value/run"));
      assertThat(found.at("/by")).isEqualTo("schedule");
      assertThat(found.at("/schedule")).isEqualTo(NAME);
    }
    try (var server = openServer()) {
      assertThat(server.get("/api/schedules/" + NAME.replace("/", "%2F")).at("/flow"))
          .isEqualTo("bill");
      Reply retired = server.delete("/api/flows/bill/live");
      assertThat(retired.status()).as("%s", retired.body()).isLessThan(300);
      assertThat(server.get("/api/schedules/" + NAME.replace("/", "%2F")).status()).isEqualTo(404);
    }
  }

  @Test
  void a_schedule_of_a_flow_cannot_take_its_name() throws Exception {
    try (var server = new TestServer(folder)) {
      server.send(
          server
              .request("/api/flows/thief/draft")
              .setHeader("Content-Type", "application/yaml")
              .PUT(
                  BodyPublishers.ofString(
                      """
                      flow: thief
                      triggers:
                        - schedule: {name: hapax.reconcile/bill/invoice, cron: "* * * * *", timezone: UTC}
                      steps:
                        - id: keep
                          set: {x: 1}
                      """)));
      server.post("/api/flows/thief/releases", "{}");
      Reply live = server.put("/api/flows/thief/live", "{\"release\": 1}");
      assertThat(live.status()).as("%s", live.body()).isEqualTo(409);
      assertThat(live.at("/detail")).contains("belong to reconciliations");
    }
  }
}
