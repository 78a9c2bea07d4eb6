package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.app.TestServer;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers that take longer than the pause between two changes, or between two polls. They must
 * still arrive: a page that aborts what is under way to ask again would never show anything new.
 */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class SlowAnswersTest {
  private static final Duration LATE = Duration.ofMillis(1500);
  private static final int MOST_STARTS = 300;

  @TempDir static Path folder;
  private static UiSite site;
  private Relay relay;
  private Page page;
  private final AtomicInteger starts = new AtomicInteger();

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    RunSeed.into(site.server);
  }

  @AfterAll
  static void close() {
    if (site != null) {
      site.close();
    }
  }

  @BeforeEach
  void visit() throws Exception {
    relay = new Relay(site.server.address());
    page = site.chromium.tab(site.loggedIn(site.server.token(), 1280, 800, ColorScheme.LIGHT));
  }

  @AfterEach
  void no_script_failed() throws Exception {
    site.leave();
    relay.close();
    assertThat(site.chromium.errors()).allMatch(error -> error.contains("net::ERR_"));
  }

  /** Goes to a page at full speed; from then on each answer is late. */
  private void goSlowly(String path, Locator first) {
    page.navigate(relay.at(path).toString());
    assertThat(first).isVisible();
    assertThat(page.locator(".live")).hasText("Live");
    relay.delay(LATE);
  }

  /** Changes something again and again, faster than an answer arrives, until the page shows it. */
  private void changeUntil(BooleanSupplier isShown, Runnable change) {
    while (!isShown.getAsBoolean()) {
      assertThat(starts.incrementAndGet()).as("changes").isLessThan(MOST_STARTS);
      change.run();
      page.waitForTimeout(150); // the browser works meanwhile; it is given no other chance to
    }
  }

  @Test
  void the_overview_of_a_busy_server_shows_new_numbers() {
    goSlowly("/?span=day", page.locator(".headline"));
    Locator succeeded = page.locator(".chart-legend strong").first();
    String before = succeeded.textContent();
    changeUntil(
        () -> !succeeded.textContent().equals(before),
        () -> UiSeed.start(site.server, "SLOW-" + starts));
  }

  @Test
  void a_job_under_way_shows_how_far_it_is_and_that_it_has_ended() {
    for (int i = 0; i < 4; i++) {
      site.server.mood("J-" + i, "refused");
      UiSeed.start(site.server, "J-" + i);
    }
    String wish =
        "{\"kind\": \"retry\", \"filter\": {\"keyPrefix\": \"J-\"}, \"rate\": 1, \"reason\": \"x\"}";
    TestServer.Reply made = site.server.post("/api/jobs", wish);
    assertThat(made.status()).as(made.raw().body()).isLessThan(300);
    goSlowly("/jobs/" + made.at("/id"), page.locator(".page-title .status"));
    assertThat(page.locator(".page-title .status")).hasText("Done");
  }

  @Test
  void a_run_that_changes_all_the_time_shows_its_changes() {
    String id = "BUSY-1";
    List<String> items = List.of();
    site.server.mood("reserve-" + id, "busy");
    String run =
        RunSeed.start(
            site.server, "shipment", Map.of("id", id, "lines", items, "customer", Map.of()));
    RunSeed.await(site.server, run, entry -> entry.path("attempt").asInt(0) == 2);
    goSlowly("/runs/" + run, page.locator(".run-title"));
    String again = Json.write(Map.of("id", id, "lines", items, "customer", Map.of()));
    changeUntil(
        () -> page.locator(".once").textContent().contains("repeat"),
        () -> site.server.post("/api/flows/shipment/runs", again));
    site.server.mood("reserve-" + id, "fine");
  }
}
