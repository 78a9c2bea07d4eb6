package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.app.TestServer.Reply;
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

/** Jobs, replays and reconciliations in a real browser. */
@Tag("server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class RecoveryPageTest {
  private static final String PARCEL =
      """
      flow: parcel
      key: ${input.id}
      steps:
        - id: pay
          call: {handler: charge, input: "pay-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: pack
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}-pack", guard: keyed}
        - id: ship
          call: {handler: charge, input: "${steps.pack.output.charged}"}
          effect: {kind: create, key: "${input.id}-ship", guard: keyed}
      """;

  @TempDir static Path folder;
  private static UiSite site;
  private static Invoices invoices;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    site.server.release(PARCEL);
    invoices = new Invoices();
    invoices.into(site.server, 5);
  }

  @AfterAll
  static void close() {
    if (site != null) {
      site.close();
      invoices.close();
    }
  }

  @AfterEach
  void no_page_had_an_error() {
    site.leave();
    assertThat(site.chromium.errors()).isEmpty();
  }

  /** Starts runs that fail at their second effect, and lets that effect be fine afterwards. */
  private static String failed(String prefix, int count) {
    String run = "";
    for (int i = 1; i <= count; i++) {
      String id = prefix + i;
      site.server.mood(id, "refused");
      run = DeskSeed.start(site.server, "parcel", Map.of("id", id));
      site.server.mood(id, "fine");
    }
    return run;
  }

  private static String last(Page page) {
    String path = page.url();
    return path.substring(path.lastIndexOf('/') + 1).replaceAll("\\?.*", "");
  }

  private static Reply job(Page page) {
    return site.server.get("/api/jobs/" + last(page));
  }

  @Test
  void a_job_is_planned_applied_paused_resumed_and_done() {
    failed("J-", 6);
    Page page = site.visit("/jobs");
    page.getByText("New job").click();
    page.getByLabel("Flow").fill("parcel");
    page.getByLabel("Key begins with").fill("J-");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Make a plan").click();
    assertThat(page).hasURL(Pattern.compile("/jobs/j-"));
    assertThat(page.locator(".page-title .status")).hasText("Planned");
    assertThat(page.locator(".job-result")).hasCount(6);
    assertThat(job(page).at("/done")).isEqualTo("0");

    page.getByText("Apply", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("dialog")).containsText("are not sent again");
    page.getByLabel("Items in a second, at most").fill("1");
    page.getByText("Apply to 6 items").click();
    assertThat(page.locator(".page-title .status")).hasText("Running");
    Hands.tabTo(page, "Pause");
    page.keyboard().press("Enter");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".page-title .status")).hasText("Paused");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Resume").click();
    page.getByLabel("Items in a second, at most").fill("1000");
    page.locator("dialog .primary").click();

    assertThat(page.locator(".page-title .status")).hasText("Done");
    page.locator(".tile", new Page.LocatorOptions().setHasText("Done")).click();
    assertThat(page).hasURL(Pattern.compile("result=done"));
    assertThat(page.locator(".job-result")).hasCount(6);
    assertThat(job(page).at("/done")).isEqualTo("6");
    page.reload();
    assertThat(page.locator(".job-result")).hasCount(6);
  }

  @Test
  void a_replay_shows_its_plan_and_then_does_exactly_that() {
    site.chromium.expect(409, "/api/replays");
    String run = failed("P-", 1);
    Page page = site.visit("/replays?runs=" + run);
    page.getByLabel("From step").fill("pack");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Make a plan").click();

    assertThat(page).hasURL(Pattern.compile("/replays/j-"));
    assertThat(page.locator(".tile", new Page.LocatorOptions().setHasText("Send")))
        .containsText("2");
    page.locator(".planned-effect", new Page.LocatorOptions().setHasText("pack")).first().click();
    assertThat(page.locator(".planned-body")).containsText("P-1");
    page.getByText("Compare with the ledger").click();
    assertThat(page.locator(".diff")).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
    String plan = last(page);
    String twin =
        site.server
            .post(
                "/api/replays",
                "{\"runs\": [\"%s\"], \"fromStep\": \"pack\", \"plan\": true}".formatted(run))
            .at("/plan");

    page.locator(".page-title .primary").click();
    assertThat(page.locator("dialog")).containsText("1 run goes on, and 2 effects are sent");
    page.getByLabel("Reason").fill("the card works again");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".page-title .status")).hasText("Done");
    assertThat(site.server.get("/api/jobs/" + plan).at("/done")).isEqualTo("1");

    page.navigate(site.at("/replays/" + twin).toString());
    page.locator(".page-title .primary").click();
    page.getByLabel("Reason").fill("once more");
    page.locator("dialog .primary").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("The plan is stale");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("was send and is reuse now");
    page.locator(".plan-stale a").click();
    assertThat(page.getByLabel("Ids of runs")).hasValue(run);
  }

  @Test
  void a_filter_is_planned_by_a_job_and_limits_by_decision() {
    failed("F-", 3);
    Page page = site.visit("/replays?flow=parcel&keyPrefix=F-&status=failed&from=pack");
    page.getByText("Make a plan").click();
    assertThat(page.locator(".page-title")).containsText("3 runs found");
    assertThat(page.locator(".planned")).hasCount(3);

    page.locator(".tile", new Page.LocatorOptions().setHasText("Keep")).click();
    assertThat(page).hasURL(Pattern.compile("decision=keep"));
    assertThat(page.locator(".planned-effect .badge").first()).hasText("Keep");
    page.goBack();
    var sends = new Page.LocatorOptions().setHasText("Send");
    assertThat(page.locator(".planned-effect .badge", sends).first()).isVisible();
  }

  @Test
  void a_reconciliation_reports_and_what_is_missing_is_sent_again() {
    invoices.kept.remove("B-2");
    invoices.kept.put("B-3", Map.of("id", "in_3", "order", "B-3", "cents", 1000));
    Page page = site.visit("/reconciliations");
    assertThat(page.locator(".form")).isVisible();
    page.getByLabel("Flow").fill("bill");
    page.getByLabel("Plan a repair of what is missing").check();
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Start", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page).hasURL(Pattern.compile("/reconciliations/r-"));
    assertThat(page.locator(".page-title .status")).hasText("Succeeded");
    assertThat(page.locator(".finding")).hasCount(2);
    assertThat(page.locator(".report-matches")).containsText("3");
    page.locator(".tile", new Page.LocatorOptions().setHasText("Missing")).click();
    assertThat(page.locator(".finding")).hasCount(1);
    assertThat(page.locator(".finding")).containsText("B-2");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.getByText("Send 1 effect again…").click();
    assertThat(page.locator("dialog")).containsText("looked up once more");
    page.getByLabel("Reason").fill("deleted by mistake");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".repair-says")).containsText("1 sent again");
    while (!invoices.kept.containsKey("B-2")) { // the run is under way
      Thread.onSpinWait();
    }

    page.navigate(site.at("/reconciliations").toString());
    assertThat(page.locator(".report-row").first()).containsText("bill");
  }

  @Test
  void a_token_that_may_only_read_can_begin_nothing() {
    String token = DeskSeed.token(site.server, "watcher", "runs:read", "effects:read");
    failed("W-", 1);
    String job =
        site.server
            .post(
                "/api/jobs",
                "{\"kind\": \"retry\", \"filter\": {\"keyPrefix\": \"W-\"}, \"plan\": true}")
            .at("/id");
    try (var person = site.loggedIn(token, 390, 844, ColorScheme.LIGHT)) {
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/jobs/" + job).toString());
      assertThat(page.locator(".job-result")).hasCount(1);
      assertThat(page.locator(".push button")).hasCount(0);
      assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= 390")).isTrue();
      page.navigate(site.at("/replays").toString());
      assertThat(page.locator("h1")).hasText("Replays");
      assertThat(page.locator("form")).hasCount(0);
      page.navigate(site.at("/reconciliations").toString());
      assertThat(page.locator("h1")).hasText("Reconcile");
      assertThat(page.locator("form")).hasCount(0);
    }
  }
}
