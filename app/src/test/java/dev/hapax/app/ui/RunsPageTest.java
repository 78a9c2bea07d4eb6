package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Login, the list of runs and a run, in a real browser. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class RunsPageTest {
  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
  }

  @AfterAll
  static void close() {
    if (site != null) {
      site.close();
    }
  }

  @AfterEach
  void no_page_had_an_error() {
    site.leave();
    assertThat(site.chromium.errors()).isEmpty();
  }

  @Test
  void a_person_logs_in_with_a_token_and_comes_to_the_page_they_wanted() {
    Page page = site.chromium.tab(site.chromium.person(1280, 800, ColorScheme.LIGHT));
    page.navigate(site.at("/runs?status=failed&keyPrefix=A-").toString());

    page.getByLabel("Token").fill("hapax_wrong");
    page.keyboard().press("Enter");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("unknown, expired or revoked");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.getByLabel("Token").fill(site.server.token());
    page.keyboard().press("Enter");
    assertThat(page.locator(".run-row")).hasCount(1);
    assertThat(page).hasURL(Pattern.compile("/runs\\?status=failed&keyPrefix=A-$"));
    assertThat(page.evaluate("document.cookie")).isEqualTo("");
    Object kept = page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)");
    assertThat(kept.toString()).doesNotContain("hapax_");

    page.getByText("Log out").click();
    assertThat(page.getByLabel("Token")).isVisible();
  }

  @Test
  void the_list_is_live_and_filters_are_in_the_address() {
    Page page = site.visit("/runs");
    assertThat(page.locator(".live")).hasText("Live");
    assertThat(page).hasURL(Pattern.compile("/runs$"));

    page.getByLabel("Status").selectOption("review");
    assertThat(page.locator(".run-row")).hasCount(1);
    assertThat(page).hasURL(Pattern.compile("status=review"));
    page.goBack();
    assertThat(page.locator(".run-row").nth(5)).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();

    UiSeed.start(site.server, "LIVE-1");
    page.getByText(Pattern.compile("\\d+ new run")).click();
    assertThat(page.locator(".run-row").first()).containsText("LIVE-1");
  }

  @Test
  void keys_walk_through_the_list_and_open_a_run() {
    Page page = site.visit("/runs?status=failed&keyPrefix=A-");
    assertThat(page.locator(".run-row")).hasCount(1);

    page.keyboard().press("j");
    page.keyboard().press("Enter");

    assertThat(page.locator("h1")).hasText("A-2001");
    assertThat(page.locator(".once")).containsText("1 effect");
    page.keyboard().press("?");
    assertThat(page.locator("dialog")).containsText("Keyboard shortcuts");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.keyboard().press("Escape");
    page.keyboard().press("g");
    page.keyboard().press("r");
    assertThat(page).hasURL(Pattern.compile("/runs$"));
  }

  @Test
  void one_box_finds_a_key_and_shows_hostile_text_as_text() {
    Page page = site.visit("/runs");
    assertThat(page.locator(".run-row").first()).isVisible();

    page.keyboard().press("/");
    page.keyboard().type("<script>al");
    assertThat(page.locator(".find-hits li").first()).containsText("<script>alert(1)</script>");
    page.keyboard().press("Enter");

    assertThat(page.locator("h1")).hasText("<script>alert(1)</script>");
    page.reload();
    assertThat(page.locator("h1")).hasText("<script>alert(1)</script>");
  }

  @Test
  void a_retry_says_what_it_will_do_first() {
    site.server.mood("R-1", "refused");
    UiSeed.start(site.server, "R-1");
    Page page = site.visit("/runs?keyPrefix=R-1");
    page.locator(".run-row").click();
    assertThat(page.locator(".run-title")).containsText("Failed");

    page.getByText("Retry", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("dialog")).containsText("are not sent again");
    assertThat(Axe.seriousIn(page)).isEmpty();
    site.server.mood("R-1", "fine");
    page.getByText("Retry the run").click();

    assertThat(page.locator(".run-title")).containsText("Succeeded");
  }

  @Test
  void the_search_of_the_list_finds_by_key_and_wire_key_and_keeps_it_in_the_address() {
    Page page = site.visit("/runs");
    assertThat(page.locator(".run-row").first()).isVisible();
    page.getByLabel("Search", new Page.GetByLabelOptions().setExact(true)).fill("A-1003");
    assertThat(page).hasURL(Pattern.compile("q=A-1003"));
    assertThat(page.locator(".found-row").first()).containsText("A-1003");
    assertThat(page.locator(".found-row", new Page.LocatorOptions().setHasText("Effect")))
        .not()
        .hasCount(0);
    assertThat(Axe.seriousIn(page)).isEmpty();
    String wire = site.server.get("/api/effects?key=A-1003").at("/items/0/wireKey");
    page.getByLabel("Search", new Page.GetByLabelOptions().setExact(true)).fill(wire);
    assertThat(page.locator(".found-row").first()).containsText(wire);
    page.reload();
    assertThat(page.locator(".found-row").first()).containsText(wire);
    page.goBack();
    assertThat(page.locator(".run-row").first()).isVisible();

    page.getByLabel("Search", new Page.GetByLabelOptions().setExact(true)).fill("no such thing");
    assertThat(page.locator(".empty")).containsText("Nothing begins with this text");
    page.getByText("Clear filters").click();
    assertThat(page.locator(".run-row").first()).isVisible();
  }

  @Test
  void filters_are_chips_and_a_named_view_keeps_them() {
    Page page = site.visit("/runs?status=succeeded");
    page.locator(".menu summary").click();
    page.getByLabel("Value").fill("A-100");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Add the filter").click();
    assertThat(page.locator(".chip")).containsText("A-100");
    assertThat(page).hasURL(Pattern.compile("status=succeeded&keyPrefix=A-100"));
    assertThat(page.locator(".run-row")).hasCount(9);

    page.getByText("Save this view").click();
    page.getByLabel("Name").fill("First orders");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".view[aria-current]")).hasText("First orders");
    page.getByText("All", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".run-row").nth(10)).isVisible();
    page.reload();
    page.getByText("First orders").click();
    assertThat(page.locator(".run-row")).hasCount(9);
    assertThat(page).hasURL(Pattern.compile("keyPrefix=A-100&status=succeeded"));
    page.getByLabel("Forget the view First orders").click();
    assertThat(page.getByText("First orders")).hasCount(0);
    page.locator(".chip").click();
    assertThat(page).hasURL(Pattern.compile("/runs\\?status=succeeded$"));
  }

  @Test
  void a_search_is_limited_by_the_filters_beside_it_or_says_that_it_is_not() {
    Page page = site.visit("/runs?flow=none&q=A-1003");
    assertThat(page.locator(".empty")).containsText("matches the filters");
    page.navigate(site.at("/runs?status=succeeded&keyPrefix=B&q=A-1003").toString());
    assertThat(page.locator(".found-row").first()).containsText("A-1003");
    assertThat(page.locator(".found-row .badge")).hasText(new String[] {"Run"});
    assertThat(page.locator(".found .notice")).containsText("Key begins with");
    assertThat(Axe.seriousIn(page)).isEmpty();
  }

  @Test
  void a_time_is_given_and_shown_in_the_zone_of_the_viewer() {
    Page page = site.visit("/runs");
    page.locator(".menu summary").click();
    page.getByLabel("Field").selectOption("since");
    page.getByLabel("Value").fill("2026-01-02T10:30"); // the browser is in Berlin
    page.getByText("Add the filter").click();
    assertThat(page).hasURL(Pattern.compile("since=2026-01-02T09%3A30%3A00.000Z"));
    assertThat(page.locator(".chip")).containsText("10:30");
    assertThat(page.locator(".run-row").first()).isVisible();
  }

  @Test
  void marked_runs_become_a_job_that_shows_its_plan_first() {
    site.server.mood("B-1", "refused");
    site.server.mood("B-2", "refused");
    UiSeed.start(site.server, "B-1");
    UiSeed.start(site.server, "B-2");
    site.server.mood("B-1", "fine");
    site.server.mood("B-2", "fine");
    Page page = site.visit("/runs?status=failed&keyPrefix=B-");
    assertThat(page.locator(".run-row")).hasCount(2);
    assertThat(page.locator(".bulk")).containsText("All that match");
    page.keyboard().press("j");
    page.keyboard().press("x");
    page.getByLabel("Mark B-1").check();
    assertThat(page.locator(".bulk")).containsText("2 runs marked");
    page.locator(".bulk").getByText("Retry…").click();
    assertThat(page.locator("dialog")).containsText("only makes a plan");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.locator("dialog .primary").click();
    assertThat(page).hasURL(Pattern.compile("/jobs/j-"));
    assertThat(page.locator(".job-result")).hasCount(2);
    assertThat(site.server.get("/api/runs?status=failed&keyPrefix=B-").body().path("items").size())
        .isEqualTo(2);
  }

  @Test
  void retrying_is_a_filter_with_the_error_and_the_next_time() {
    site.server.release(
        """
        flow: patient
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
            retry: {attempts: 40, delay: 1h, factor: 1}
        """);
    site.server.mood("P-1", "busy");
    String run = RunSeed.start(site.server, "patient", Map.of("id", "P-1"));
    RunSeed.await(site.server, run, entry -> entry.path("type").asString().equals("not-applied"));
    Page page = site.visit("/runs");
    page.locator(".view", new Page.LocatorOptions().setHasText("Retrying")).click();
    assertThat(page.locator(".run-row")).hasCount(1);
    assertThat(page.locator(".run-row")).containsText("come back later");
    assertThat(page.locator(".run-row")).containsText("next try in");
    assertThat(page.locator(".run-row .status")).hasText("Retrying");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.locator(".run-line").getByText("Try now").click();
    assertThat(page.locator("dialog")).containsText("It counts as an attempt");
    page.locator("dialog .primary").click();
    RunSeed.await(site.server, run, entry -> entry.path("attempt").asInt(0) == 2);
    page.locator(".run-row").click();
    site.server.mood("P-1", "fine");
    page.locator(".run-actions").getByText("Try now").click();
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".run-title .status")).hasText("Succeeded");
    assertThat(page.locator(".tl-body")).containsText("Asked to try now");
    assertThat(site.server.get("/api/audit?limit=200").body().path("items").toString())
        .contains("/try-now");
  }

  @Test
  void a_run_that_does_not_retry_refuses_and_says_why() {
    String run = RunSeed.start(site.server, "order", Map.of("id", "N-1", "total", 1));
    RunSeed.awaitStatus(site.server, run, "succeeded");
    var refused = site.server.post("/api/runs/" + run + "/try-now", "");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.at("/type")).endsWith("/not-possible");
    assertThat(refused.at("/detail")).contains("no step of run " + run);
  }
}
