package dev.hapax.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.release.Site;
import dev.hapax.flow.Run;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The live release's cron starts one run per nominal instant. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScheduleRoutesTest {
  private static final String REPORT =
      """
      flow: report
      triggers:
        - schedule:
            name: nightly
            cron: "0 3 * * *"
            timezone: Europe/Berlin
            catchUp: latest
            input: {of: "${schedule.time}"}
      steps:
        - id: keep
          set: {of: "${input.of}"}
      output: {of: "${steps.keep.output.of}"}
      """;

  private final ManualTime time = new ManualTime();
  private final Store store = new MemoryStore();
  private Site site = open();

  private Site open() {
    return new Site(
        store,
        time.ports(),
        site -> {
          site.releases.onPromotion(new LiveSchedules(site.hapax::tenant));
          return new ScheduleRoutes(site.live).routes();
        });
  }

  /** In the evening of Berlin, before the summer begins. */
  @BeforeEach
  void goLive() {
    time.jumpTo(Instant.parse("2027-03-27T20:00:00Z"));
    site.goLive("report", REPORT);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private JsonNode schedule() {
    return site.get("/api/schedules/nightly").json();
  }

  private List<String> started() {
    return site.hapax.tenant("acme").runs(site.hapax.tenant("acme").runs()).reversed().stream()
        .map(Run::key)
        .toList();
  }

  private void moveUntilStarted(Duration by, int runs) {
    time.move(by);
    while (started().size() < runs) {
      time.move(Duration.ofMillis(10));
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void a_nightly_run_follows_the_clocks_of_its_zone() {
    assertThat(schedule().path("next").path(0).asString()).isEqualTo("2027-03-28T01:00:00Z");
    assertThat(schedule().path("cron").asString()).isEqualTo("0 3 * * *");
    assertThat(schedule().path("timezone").asString()).isEqualTo("Europe/Berlin");

    moveUntilStarted(Duration.ofHours(6), 1);

    assertThat(started()).containsExactly("schedule/nightly/2027-03-28T01:00:00Z");
    Run run = site.hapax.tenant("acme").runs(site.hapax.tenant("acme").runs()).getFirst();
    assertThat(run.input()).contains("2027-03-28T01:00:00Z");
  }

  @Test
  void paused_it_starts_nothing_and_a_promotion_does_not_resume_it() {
    assertThat(
            site.post("/api/schedules/nightly/pause", Map.of()).json().path("paused").asBoolean())
        .isTrue();
    site.goLive("report", REPORT.replace("0 3 * * *", "0 4 * * *"));

    assertThat(schedule().path("paused").asBoolean()).isTrue();
    assertThat(schedule().path("next").path(0).asString()).isEqualTo("2027-03-28T02:00:00Z");
    assertThat(
            site.post("/api/schedules/nightly/resume", Map.of()).json().path("paused").asBoolean())
        .isFalse();
  }

  @Test
  void an_instant_that_meets_an_open_run_is_skipped_and_shown() {
    site.goLive(
        "report",
        REPORT
            .replace("catchUp: latest", "overlap: skip")
            .replace("set: {of: \"${input.of}\"}", "wait: {for: 30h}")
            .replace("output: {of: \"${steps.keep.output.of}\"}\n", ""));
    moveUntilStarted(Duration.ofHours(6), 1);

    time.move(Duration.ofDays(1));
    await(() -> schedule().path("skipped").asInt() == 1);

    assertThat(started()).hasSize(1);
    assertThat(schedule().path("overlap").asString()).isEqualTo("skip");
    assertThat(schedule().path("missed").asInt()).isZero();
    assertThat(schedule().path("note").asString())
        .contains("skipped 2027-03-29T01:00:00Z")
        .contains("overlap is skip");
  }

  @Test
  void a_past_time_is_filled_once() {
    var range = Map.of("from", "2027-03-20T00:00:00Z", "to", "2027-03-25T00:00:00Z");

    var first = site.post("/api/schedules/nightly/backfill", range);
    var again = site.post("/api/schedules/nightly/backfill", range);

    assertThat(first.json().path("started").asInt()).isEqualTo(5);
    assertThat(again.json().path("started").asInt()).isZero();
    assertThat(started()).hasSize(5).contains("schedule/nightly/2027-03-20T02:00:00Z");
    assertThat(site.post("/api/schedules/nightly/backfill", Map.of()).status()).isEqualTo(400);
    assertThat(
            site.post(
                    "/api/schedules/nightly/backfill",
                    Map.of("from", "2027-03-20T00:00:00Z", "to", "2099-01-01T00:00:00Z"))
                .status())
        .isEqualTo(400);
  }

  @Test
  void after_a_restart_it_goes_on_and_counts_what_it_missed() {
    site.close();
    time.move(Duration.ofDays(3));
    site = open();

    await(() -> !started().isEmpty());
    assertThat(started()).containsExactly("schedule/nightly/2027-03-30T01:00:00Z");
    await(() -> schedule().path("missed").asLong() == 2);
    assertThat(schedule().path("note").asString()).contains("skipped");
  }

  @Test
  void a_release_without_it_takes_it_away() {
    site.goLive("report", REPORT.replaceAll("(?s)triggers:.*?steps:", "steps:"));

    assertThat(site.get("/api/schedules").json().path("items")).isEmpty();
    assertThat(site.get("/api/schedules/nightly").status()).isEqualTo(404);
    site.put("/api/flows/report/live", Map.of("release", 1));
    assertThat(schedule().path("flow").asString()).isEqualTo("report");
  }

  @Test
  void one_key_for_all_instants_is_refused_before_anything_changes() {
    site.putDraft("report", REPORT.replace("flow: report", "flow: report\nkey: same"));
    site.post("/api/flows/report/releases", Map.of());

    var refused = site.put("/api/flows/report/live", Map.of("release", 2));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().path("detail").asString()).contains("would run once");
    assertThat(site.get("/api/flows/report").json().path("live").asInt()).isEqualTo(1);
  }

  @Test
  void a_tenant_sees_its_own() {
    assertThat(
            site.sendAs("umbrella", "GET", "/api/schedules", null, Map.of()).json().path("items"))
        .isEmpty();
    assertThat(
            site.sendAs("umbrella", "POST", "/api/schedules/nightly/pause", null, Map.of())
                .status())
        .isEqualTo(404);
  }
}
