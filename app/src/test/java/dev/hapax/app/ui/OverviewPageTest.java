package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import dev.hapax.app.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The overview, the ledger and the nodes in a real browser. */
@Tag("server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class OverviewPageTest {
  private static final Page.GetByTextOptions EXACT = new Page.GetByTextOptions().setExact(true);
  private static final String HOSTILE = "<script>alert(1)</script>";

  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    DeskSeed.into(site.server);
    UiSeed.start(site.server, "A-2001"); // stopped: its run exists
    UiSeed.start(site.server, "A-2001");
    UiSeed.start(site.server, "A-\u202e\ud83d\udce6");
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
  void the_first_line_says_what_is_wrong_and_every_number_leads_to_its_list() {
    Page page = site.visit("/");
    assertThat(page.locator(".headline"))
        .containsText(Pattern.compile("effects? in review, \\d+ runs? waits? for a person"));
    assertThat(page.locator(".chart svg")).hasAttribute("aria-label", Pattern.compile("\\d+ runs"));
    assertThat(page.locator(".bars").first()).containsText("Starts");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.locator(".chart-legend a", new Page.LocatorOptions().setHasText("Succeeded")).click();
    assertThat(page).hasURL(Pattern.compile("/runs\\?status=succeeded&since="));
    page.goBack();
    page.locator(".headline a").first().click();
    assertThat(page).hasURL(Pattern.compile("/reviews$"));
    page.goBack();
    page.getByText("7 days").click();
    assertThat(page).hasURL(Pattern.compile("span=week"));
    page.reload();
    assertThat(page.locator(".chip[aria-pressed=true]")).hasText("7 days");
    page.keyboard().press("g");
    page.keyboard().press("l");
    assertThat(page).hasURL(Pattern.compile("/ledger$"));
  }

  @Test
  void a_server_without_runs_shows_what_to_run_next(@TempDir Path other) throws Exception {
    try (var empty = new TestServer(other)) {
      var there = new UiSite(empty, site.chromium);
      Page page = there.visit("/");
      assertThat(page.locator(".headline")).containsText("Nothing needs attention.");
      assertThat(page.locator(".first-steps")).containsText("hapax init");
      assertThat(Axe.seriousIn(page)).isEmpty();
      Screenshots.take(there, "overview-empty", "/", ".first-steps");
      there.leave();
    }
  }

  @Test
  void the_ledger_finds_effects_and_one_key_has_one_page() {
    Page page = site.visit("/ledger");
    assertThat(page.locator(".table tbody tr").first()).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByPlaceholder("Key begins with").fill("A-1001");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("keyPrefix=A-1001"));
    assertThat(page.locator(".table tbody tr")).hasCount(1);
    page.reload();
    assertThat(page.locator(".table tbody tr")).hasCount(1);

    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page.locator(".effect-says")).containsText("Done once");
    assertThat(page.locator(".effect-runs")).containsText("A-1001");
    assertThat(page.locator(".attempts li").first()).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.goBack();
    assertThat(page).hasURL(Pattern.compile("keyPrefix=A-1001"));
  }

  @Test
  void effects_of_another_system_are_imported_and_the_ledger_is_exported() throws Exception {
    Page page = site.visit("/ledger");
    page.getByText("Import…").click();
    assertThat(page.locator("dialog")).containsText("nothing is sent");
    String rows =
        """
        {"name": "order/charge", "key": "OLD-1", "kind": "create", "externalId": "ch_1", "output": {"charged": "before"}}
        {"name": "order/charge", "key": "OLD-2", "kind": "read"}
        """;
    page.getByLabel("File")
        .setInputFiles(new FilePayload("old.jsonl", "", rows.getBytes(StandardCharsets.UTF_8)));
    page.locator("dialog .primary").click();
    assertThat(page.locator(".imported")).containsText("1 new");
    assertThat(page.locator(".imported")).containsText("1 refused");
    assertThat(page.locator(".imported-problems")).containsText("Line 2: kind: expected create");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.keyboard().press("Escape");

    page.navigate(site.at("/ledger?keyPrefix=OLD-").toString());
    assertThat(page.locator(".table tbody tr")).hasCount(1);
    assertThat(page.locator(".table tbody tr")).containsText("ch_1");
    page.navigate(site.at("/ledger?name=order%2Fcharge").toString());
    Download saved = page.waitForDownload(() -> page.getByText("Export", EXACT).click());
    assertThat(Files.readString(saved.path()))
        .startsWith("name,key,kind,")
        .contains("\"OLD-1\",\"create\"");
  }

  @Test
  void numbers_of_duplicates_lead_to_the_runs_that_stopped_them() {
    Page page = site.visit("/?span=day");
    page.locator(".headline-more a", new Page.LocatorOptions().setHasText("duplicate")).click();
    assertThat(page).hasURL(Pattern.compile("/runs\\?.*duplicates=true"));
    assertThat(page.locator(".run-row", new Page.LocatorOptions().setHasText("A-1001")))
        .hasCount(1);
    assertThat(page.locator(".run-row", new Page.LocatorOptions().setHasText("A-1002")))
        .hasCount(0);
    assertThat(page.locator(".chip", new Page.LocatorOptions().setHasText("Created since")))
        .not()
        .containsText("Z");
    page.goBack();
    page.locator(".bars strong a").first().click();
    assertThat(page).hasURL(Pattern.compile("duplicates=true"));
  }

  @Test
  void the_bars_of_the_chart_are_one_stop_of_the_keyboard_and_open_their_runs() {
    Page page = site.visit("/?span=day");
    assertThat(page.locator(".chart-frame svg a[tabindex='0']")).hasCount(1);
    page.locator(".chart-frame svg a").first().focus();
    page.keyboard().press("End");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/runs\\?since=.*until="));
    assertThat(page.locator(".run-row").first()).isVisible();
  }

  @Test
  void a_decision_elsewhere_changes_the_count_in_the_navigation() {
    String review = DeskSeed.lost(site.server, "order", "COUNT-1");
    Page page = site.visit("/runs");
    var badge = page.locator(".nav [href$='/reviews'] .nav-count");
    assertThat(badge).not().isEmpty();
    String before = badge.textContent();
    site.server.post(
        "/api/effects/" + review + "/settle",
        "{\"decision\": \"happened\", \"reason\": \"seen at the bank\"}");
    assertThat(badge).not().hasText(before, new HasTextOptions().setTimeout(15_000));
  }

  @Test
  void the_navigation_says_how_many_decisions_wait_for_a_person() {
    String reviews = site.server.get("/api/overview").at("/reviews/count");
    Page page = site.visit("/kv");
    assertThat(page.locator(".nav a[href$='/reviews'] .nav-count")).hasText(reviews);
    assertThat(page.locator(".nav a[href$='/runs'] .nav-count")).hasCount(0);
  }

  @Test
  void an_effect_in_review_leads_to_its_review() {
    Page page = site.visit("/ledger?state=review");
    page.locator(".table tbody tr a").first().click();
    assertThat(page.locator(".effect-says")).containsText("A person must decide");
    page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Settle it")).click();
    assertThat(page).hasURL(Pattern.compile("/reviews/e-"));
  }

  @Test
  void a_hostile_key_is_text_and_a_key_is_found_by_name() {
    Page page = site.visit("/ledger?key=" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E");
    assertThat(page.locator(".table tbody tr")).hasCount(1);
    assertThat(page.locator(".table tbody tr")).containsText(HOSTILE);
    page.locator(".table tbody tr a").click();
    assertThat(page.locator("h1")).hasText(HOSTILE);

    page.navigate(site.at("/ledger").toString());
    page.getByText("Look up an expired key").click();
    page.locator("details input").first().fill("order/charge");
    page.locator("details input").last().fill("A-1002");
    page.getByText("Look up", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("h1")).hasText("A-1002");
    assertThat(page.locator(".effect-says")).containsText("Done once");
  }

  @Test
  void the_nodes_show_which_one_answers() {
    Page page = site.visit("/nodes");
    assertThat(page.locator(".table tbody tr")).hasCount(1);
    assertThat(page.locator(".table tbody tr")).containsText("answers you");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.reload();
    assertThat(page.locator(".lead")).containsText("One process at a time");
  }
}
