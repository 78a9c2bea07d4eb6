package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person writes, asks or looks at is not lost, and not changed under their hands. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class KeptTest {
  private static final String TWO_STEPS =
      """
      flow: two
      key: ${input.id}
      steps:
        - id: first
          call: {handler: charge, input: "first-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          retry: {attempts: 1}
        - id: second
          call: {handler: charge, input: "second-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          retry: {attempts: 1}
      """;

  private static final Locator.GetByTextOptions EXACT =
      new Locator.GetByTextOptions().setExact(true);

  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    DeskSeed.into(site.server);
    FlowSeed.into(site.server);
    RunSeed.into(site.server);
    site.server.release(TWO_STEPS);
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

  private static Page live(String path) {
    Page page = site.visit(path);
    assertThat(page.locator(".live")).hasText("Live");
    return page;
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
        .first();
  }

  @Test
  void a_filter_that_is_being_typed_stays_while_the_list_is_read_anew() {
    Page page = live("/ledger?keyPrefix=TYPE-");
    Locator box = page.getByLabel("Effect", new Page.GetByLabelOptions().setExact(true)).first();
    box.pressSequentially("order/ch");
    UiSeed.start(site.server, "TYPE-1");
    assertThat(page.locator(".table tbody tr")).containsText("TYPE-1");
    assertThat(box).hasValue("order/ch");
    box.pressSequentially("arge");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("name=order%2Fcharge"));
  }

  @Test
  void the_filters_of_both_desks_stay_while_they_are_typed() {
    Page desk = live("/desk");
    desk.getByLabel("Role").pressSequentially("fin");
    DeskSeed.offer(site.server, "TYPE-2", "what comes meanwhile");
    assertThat(desk.locator("main")).containsText("what comes meanwhile");
    assertThat(desk.getByLabel("Role")).hasValue("fin");

    Page reviews = live("/reviews");
    reviews.getByLabel("Assignee").pressSequentially("ad");
    DeskSeed.lost(site.server, "order", "TYPE-3");
    assertThat(reviews.locator("main")).containsText("TYPE-3");
    assertThat(reviews.getByLabel("Assignee")).hasValue("ad");
  }

  @Test
  void a_text_that_is_selected_beyond_the_edge_of_a_dialog_stays() {
    Page page = site.visit("/kv");
    button(page, "Add an entry").click();
    Locator area = page.locator("dialog textarea");
    area.fill("{\"a\": 1}");
    area.hover();
    page.mouse().down();
    page.mouse().move(5, 5);
    page.mouse().up();
    assertThat(area).hasValue("{\"a\": 1}");
    page.mouse().click(5, 5);
    assertThat(page.locator("dialog")).hasCount(0);
  }

  @Test
  void a_token_that_is_shown_once_does_not_go_by_a_click_beside_it() {
    Page page = site.visit("/tokens");
    button(page, "Make a token").click();
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("once");
    page.locator("dialog .primary").click();
    assertThat(page.locator("dialog code")).containsText("hapax_");
    page.mouse().click(5, 5);
    assertThat(page.locator("dialog code")).containsText("hapax_");
    page.locator("dialog").getByText("Close").click();
    assertThat(page.locator("dialog")).hasCount(0);
  }

  @Test
  void an_action_that_is_under_way_cannot_be_left_and_says_that_it_was_refused() throws Exception {
    site.chromium.expect(409, "/api/runs/.*/cancel");
    String run = RunSeed.start(site.server, "call-me", Map.of("id", "BUSY-1"));
    RunSeed.awaitStatus(site.server, run, "waiting");
    try (var relay = new Relay(site.server.address())) {
      Page page =
          site.chromium.tab(site.loggedIn(site.server.token(), 1280, 800, ColorScheme.LIGHT));
      page.navigate(relay.at("/runs/" + run).toString());
      button(page, "Cancel…").click();
      page.getByLabel("Reason").fill("too late");
      relay.hold();
      site.server.post("/api/runs/" + run + "/cancel", "{\"reason\": \"first\"}");
      RunSeed.awaitStatus(site.server, run, "canceled");
      page.locator("dialog .danger").click();
      page.keyboard().press("Escape");
      assertThat(page.locator("dialog").getByText("Cancel", EXACT)).isDisabled();
      assertThat(page.locator("dialog")).isVisible();
      relay.release();
      assertThat(page.locator("dialog").getByRole(AriaRole.ALERT)).isVisible();
      site.leave();
    }
  }

  @Test
  void after_a_large_input_was_looked_at_the_step_that_fails_now_is_done_by_hand() {
    site.server.mood("first-HAND-1", "refused");
    site.server.mood("second-HAND-1", "refused");
    String run =
        RunSeed.start(site.server, "two", Map.of("id", "HAND-1", "note", "x".repeat(20_000)));
    RunSeed.awaitStatus(site.server, run, "failed");
    Page page = live("/runs/" + run);
    button(page, "Correct the input…").click();
    assertThat(page.locator("dialog textarea")).isVisible();
    page.keyboard().press("Escape");

    site.server.mood("first-HAND-1", "fine");
    site.server.post("/api/runs/" + run + "/retry", "{}");
    assertThat(page.locator(".run-error")).containsText("second");
    button(page, "Done by hand…").click();
    assertThat(page.locator("dialog h2")).containsText("second");
  }

  @Test
  void a_history_that_breaks_off_says_so_and_is_read_on() {
    site.chromium.expect(429, "/api/runs/.*/history.*");
    String run = RunSeed.many(site.server, "BREAK-1", 300);
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.visit("/kv");
    Pattern later = Pattern.compile("/history\\?.*after=");
    page.route(later, route -> route.fulfill(new Route.FulfillOptions().setStatus(429)));
    page.navigate(site.at("/runs/" + run).toString());
    assertThat(page.locator(".tl [role=alert]")).containsText("could be read");
    assertThat(page.locator(".tl-count")).not().containsText("reading");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.unroute(later);
    page.locator(".tl").getByText("Try again").click();
    assertThat(page.locator(".tl [role=alert]")).hasCount(0);
    assertThat(page.locator(".tl-count")).hasText(Pattern.compile("^30\\d rows$"));
  }

  @Test
  void json_that_is_not_whole_yet_is_not_thrown_away_by_the_form() {
    site.chromium.expect(400, "/runs/check.*");
    Page page = site.visit("/flows/shipment?tab=start");
    button(page, "JSON").click();
    page.locator(".start-input textarea").fill("{\"id\": \"J-1\", ");
    assertThat(button(page, "Form")).isDisabled();
    page.locator(".start-input textarea").fill("{\"id\": \"J-1\"}");
    button(page, "Form").click();
    assertThat(page.getByLabel("id required")).hasValue("J-1");
  }

  @Test
  void a_page_that_came_over_plain_http_still_copies() {
    Page page = site.chromium.tab(site.loggedIn(site.server.token(), 1280, 800, ColorScheme.LIGHT));
    page.addInitScript("Object.defineProperty(navigator, 'clipboard', {value: undefined})");
    page.navigate(site.at("/tokens").toString());
    button(page, "Make a token").click();
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("copied");
    page.locator("dialog .primary").click();
    String token = page.locator("dialog code").innerText();
    page.locator("dialog .command button").click();
    assertThat(page.locator(".toast")).containsText("Copied");
    page.locator("dialog").getByText("Close").click();
    page.keyboard().press("/");
    page.keyboard().press("Control+v");
    assertThat(page.locator("#find")).hasValue(token);
  }

  @Test
  void the_title_of_a_tab_names_its_run() {
    String run = UiSeed.start(site.server, "TITLE-1");
    Page page = site.visit("/runs/" + run);
    assertThat(page).hasTitle("TITLE-1 · Run · Hapax");
    page.locator(".run-head").getByText("order", EXACT).click();
    assertThat(page).hasTitle(Pattern.compile("^order · Flow · Hapax$"));
    page.goBack();
    assertThat(page).hasTitle("TITLE-1 · Run · Hapax");
    page.keyboard().press("g");
    page.keyboard().press("r");
    assertThat(page).hasTitle("Runs · Hapax");
  }

  @Test
  void an_approver_who_may_not_follow_runs_still_gets_new_questions() {
    String token = DeskSeed.token(site.server, "approver", "approvals:read", "approvals:decide");
    Page page = site.chromium.tab(site.loggedIn(token, 1280, 800, ColorScheme.LIGHT));
    page.navigate(site.at("/desk").toString());
    assertThat(page.locator(".ask-row").first()).isVisible();
    DeskSeed.offer(site.server, "POLL-1", "asked while the page was open");
    assertThat(page.locator("main")).containsText("asked while the page was open");
  }

  @Test
  void a_plan_that_is_stale_is_made_again_of_the_same_step() {
    site.chromium.expect(409, "/api/replays");
    site.server.mood("second-AGAIN-1", "refused");
    String run = RunSeed.start(site.server, "two", Map.of("id", "AGAIN-1"));
    RunSeed.awaitStatus(site.server, run, "failed");
    String wish = Json.write(Map.of("runs", List.of(run), "fromStep", "second", "plan", true));
    String plan = site.server.post("/api/replays", wish).at("/plan");
    Page page = site.visit("/replays/" + plan);
    page.locator(".page-title .primary").click();
    site.server.mood("second-AGAIN-1", "fine");
    site.server.post("/api/runs/" + run + "/retry", "{}");
    RunSeed.awaitStatus(site.server, run, "succeeded");
    page.getByLabel("Reason").fill("again");
    page.locator("dialog .primary").click();
    page.locator(".plan-stale a").click();
    assertThat(page.getByLabel("Ids of runs")).hasValue(run);
    assertThat(page.getByLabel("From step")).hasValue("second");
  }

  @Test
  void all_runs_of_a_cause_are_retried_by_one_job() {
    for (int i = 1; i <= 2; i++) {
      site.server.mood("CAUSE-" + i, "refused");
      UiSeed.start(site.server, "CAUSE-" + i);
    }
    Page page =
        site.visit("/runs?status=partial,failed&flow=order&error=card-refused&keyPrefix=CAUSE-");
    assertThat(page.locator(".run-row")).hasCount(2);
    assertThat(page.locator(".bulk")).containsText("All that match");
    assertThat(page.locator(".bulk").getByText("Cancel…")).hasCount(0);
    page.locator(".bulk").getByText("Retry…").click();
    page.locator("dialog .primary").click();
    assertThat(page).hasURL(Pattern.compile("/jobs/j-"));
    assertThat(page.locator(".job-result")).hasCount(2);
  }

  @Test
  void all_reviews_of_a_cause_are_settled_by_a_job_that_shows_its_plan() {
    for (int i = 1; i <= 3; i++) {
      DeskSeed.lost(site.server, "trip", "ALL-" + i);
    }
    Page page = site.visit("/reviews");
    page.locator(".cause", new Page.LocatorOptions().setHasText("trip")).click();
    page.getByText(Pattern.compile("Plan for all \\d+ of this cause")).click();
    page.getByLabel("Abandon").check();
    page.getByLabel("Reason").fill("the hotel is closed");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.locator("dialog .primary").click();
    assertThat(page).hasURL(Pattern.compile("/jobs/j-"));
    assertThat(page.locator(".page-title .status")).hasText("Planned");
    assertThat(page.locator("main")).containsText("ALL-2");
    String review = DeskSeed.effect(site.server, "ALL-2");
    assertThat(site.server.get("/api/reviews/" + review).at("/state")).isEqualTo("review");
    button(page, "Apply").click();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".page-title .status")).hasText("Done");
    assertThat(site.server.get("/api/effects/" + review).at("/state")).isEqualTo("abandoned");
  }

  @Test
  void a_reconciliation_asks_for_times_in_the_zone_of_the_viewer() {
    Page page = site.visit("/reconciliations");
    page.getByLabel("Flow").fill("order");
    page.getByLabel("From", new Page.GetByLabelOptions().setExact(true)).fill("2026-01-02T10:30");
    assertThat(page.getByLabel("From", new Page.GetByLabelOptions().setExact(true)))
        .hasValue("2026-01-02T10:30");
  }
}
