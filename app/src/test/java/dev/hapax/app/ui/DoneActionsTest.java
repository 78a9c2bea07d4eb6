package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.app.TestServer.Reply;
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

/** Actions on runs, effects and plans, from the button to what the server has done. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class DoneActionsTest {
  private static final String SAGA =
      """
      flow: saga
      key: ${input.id}
      steps:
        - id: hold
          call: {handler: charge, input: "hold-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          compensate:
            call: {handler: charge, input: "free-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: agree
          approval: {ask: "Pay ${input.id}?", expires: 3d}
        - id: pay
          call: {handler: charge, input: "pay-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          retry: {attempts: 1}
      """;

  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    DeskSeed.into(site.server);
    FlowSeed.into(site.server);
    site.server.release(SAGA);
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

  private static void button(Page page, String name) {
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
        .first()
        .click();
  }

  private static Reply run(String id) {
    return site.server.get("/api/runs/" + id);
  }

  private static Reply review(String id) {
    return site.server.get("/api/reviews/" + id);
  }

  private static void confirm(Page page, String reason) {
    page.getByLabel("Reason").fill(reason);
    page.locator("dialog .button").last().click();
    assertThat(page.locator("dialog")).hasCount(0);
  }

  @Test
  void a_run_is_canceled_and_what_it_did_is_undone() {
    String id = RunSeed.start(site.server, "saga", Map.of("id", "UNDO-1"));
    DeskSeed.approval(site.server, id);
    Page page = site.visit("/runs/" + id);
    button(page, "Cancel…");
    page.getByLabel("Undo what was done").check();
    confirm(page, "the customer has left");
    assertThat(page.locator(".run-title .status")).hasText("Undone");
    assertThat(run(id).at("/status")).isEqualTo("compensated");
  }

  @Test
  void many_open_runs_are_canceled_by_one_job() {
    for (int i = 1; i <= 3; i++) {
      String id = RunSeed.start(site.server, "saga", Map.of("id", "BULK-" + i));
      DeskSeed.approval(site.server, id);
    }
    Page page = site.visit("/runs?status=waiting&flow=saga&keyPrefix=BULK-");
    assertThat(page.locator(".run-row")).hasCount(3);
    page.locator(".bulk").getByText("Cancel…").click();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".job-result")).hasCount(3);
    button(page, "Apply");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".page-title .status")).hasText("Done");
    var canceled = site.server.get("/api/runs?status=canceled&keyPrefix=BULK-").body();
    assertThat(canceled.path("items").size()).isEqualTo(3);
  }

  @Test
  void marked_runs_are_planned_for_a_replay() {
    UiSeed.start(site.server, "MARK-1");
    UiSeed.start(site.server, "MARK-2");
    Page page = site.visit("/runs?keyPrefix=MARK-");
    page.getByLabel("Mark MARK-1").check();
    page.getByLabel("Mark MARK-2").check();
    page.locator(".bulk a").click();
    assertThat(page.getByLabel("Ids of runs")).hasValue(Pattern.compile("r-\\w+\\s+r-\\w+"));
    page.getByText("Make a plan").click();
    assertThat(page.locator(".planned")).hasCount(2);
  }

  @Test
  void a_review_is_settled_as_not_happened_and_sent_again() {
    String effect = DeskSeed.lost(site.server, "order", "NOT-1");
    site.server.mood("NOT-1", "fine");
    Page page = site.visit("/reviews/" + effect);
    page.locator(".decide").nth(1).click();
    confirm(page, "the bank has no such charge");
    assertThat(page.locator(".review-says")).containsText("settled");
    RunSeed.awaitStatus(site.server, review(effect).at("/run"), "succeeded");
    assertThat(review(effect).at("/attempts")).isEqualTo("2");
  }

  @Test
  void a_review_is_abandoned_and_its_step_fails() {
    String effect = DeskSeed.lost(site.server, "order", "GONE-1");
    Page page = site.visit("/reviews/" + effect);
    page.locator(".decide").nth(2).click();
    confirm(page, "no one can say");
    assertThat(page.locator(".review-head .status")).hasText("Abandoned");
    RunSeed.awaitStatus(site.server, review(effect).at("/run"), "failed");
    assertThat(run(review(effect).at("/run")).at("/error/code")).isEqualTo("effect-abandoned");
  }

  @Test
  void a_replay_takes_another_output_asks_again_and_sends_an_effect_once_more() {
    String id = RunSeed.start(site.server, "saga", Map.of("id", "FORCE-1"));
    String approval = DeskSeed.approval(site.server, id);
    site.server.post("/api/approvals/" + approval, "{\"decision\": \"approve\"}");
    RunSeed.awaitStatus(site.server, id, "succeeded");
    String pay = site.server.get("/api/effects?run=" + id + "&name=saga/pay").at("/items/0/id");
    Page page = site.visit("/replays?runs=" + id);
    page.getByText("Other outputs, questions").click();
    page.getByLabel("Other outputs as JSON").fill("{\"hold\": {\"charged\": 9007199254740993}}");
    page.getByLabel("Effects to send again").fill(pay);
    page.getByLabel(Pattern.compile("^Why|^Reason")).fill("the bank lost it");
    page.getByText("Make a plan").click();
    assertThat(page).hasURL(Pattern.compile("/replays/j-"));
    assertThat(page.locator(".tile", new Page.LocatorOptions().setHasText("Send")))
        .containsText("1");
    String plan = page.url().substring(page.url().lastIndexOf('/') + 1);
    assertThat(site.server.get("/api/jobs/" + plan).raw().body())
        .contains("9007199254740993", "the bank lost it", pay);
    button(page, "Apply");
    confirm(page, "once more");
    assertThat(page.locator(".page-title .status")).hasText("Done");
    assertThat(page.getByRole(AriaRole.PROGRESSBAR)).hasAttribute("aria-valuenow", "1");
    assertThat(site.server.get("/api/effects/" + pay).at("/revision")).isEqualTo("2");

    page.navigate(site.at("/replays?runs=" + id + "&ask=agree").toString());
    page.getByText("Make a plan").click();
    assertThat(page).hasURL(Pattern.compile("/replays/j-"));
    button(page, "Apply");
    confirm(page, "ask the customer again");
    assertThat(DeskSeed.approval(site.server, id)).isNotEqualTo(approval);
  }

  @Test
  void a_draft_is_saved() {
    Page page = site.visit("/flows/shipment?tab=draft");
    button(page, "Edit");
    page.locator("textarea").fill(FlowSeed.good().replace("3d", "6d"));
    button(page, "Save the draft");
    assertThat(page.locator(".toast")).containsText("The draft is saved");
    assertThat(site.server.get("/api/flows/shipment/draft").raw().body()).contains("expires: 6d");
  }

  @Test
  void the_theme_is_chosen_and_kept() {
    Page page = site.visit("/kv");
    page.getByLabel("Theme").selectOption("dark");
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    page.reload();
    assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    page.getByLabel("Theme").selectOption("system");
    assertThat(page.locator("html[data-theme]")).hasCount(0);
  }

  @Test
  void a_receipt_is_opened_and_copied_with_its_signature() {
    UiSeed.start(site.server, "PAPER-1");
    String effect = site.server.get("/api/effects?key=PAPER-1").at("/items/0/id");
    try (var person = site.loggedIn(site.server.token(), 1280, 800, ColorScheme.LIGHT)) {
      person.grantPermissions(List.of("clipboard-read", "clipboard-write"));
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/ledger/" + effect).toString());
      assertThat(page.locator(".effect-says")).containsText("Done once");
      Page paper = page.waitForPopup(() -> page.locator("a[href*='format=html']").click());
      assertThat(paper.locator("body")).containsText("PAPER-1");
      paper.close();
      page.locator(".more-menu summary").click();
      button(page, "Copy the receipt");
      assertThat(page.locator(".toast").last()).hasText("Copied");
      assertThat((String) page.evaluate("navigator.clipboard.readText()")).contains("signature");
      page.locator(".more-menu summary").click();
      button(page, "Copy as CLI");
      page.waitForFunction(
          "async text => (await navigator.clipboard.readText()) === text",
          "hapax effects show " + effect);
    }
  }

  @Test
  void a_reconciliation_is_asked_to_adopt_what_it_finds() throws Exception {
    var invoices = new Invoices();
    try (invoices) {
      invoices.into(site.server, 2);
      Page page = site.visit("/reconciliations");
      page.getByLabel("Flow").fill("bill");
      page.getByLabel("Adopt what is found").check();
      var asked =
          page.waitForRequest(
              request -> request.method().equals("POST"), () -> button(page, "Start"));
      assertThat(asked.postData()).contains("\"adopt\":true");
      assertThat(page.locator(".page-title .status")).hasText("Succeeded");
    }
  }
}
