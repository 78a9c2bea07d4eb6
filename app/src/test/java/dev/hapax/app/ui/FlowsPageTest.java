package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The list of flows, a flow and the form that starts it, in a real browser. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class FlowsPageTest {
  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    FlowSeed.into(site.server);
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
  void keys_lead_from_the_list_to_a_flow_with_its_picture() {
    Page page = site.visit("/flows");
    assertThat(page.locator(".table tbody tr").nth(4)).isVisible();
    assertThat(page.locator("tr", has("shipment"))).containsText("3, not live");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/flows/ask$"));
    page.navigate(site.at("/flows/shipment").toString());
    assertThat(page.locator(".flow-picture .graph-frame .effect")).containsText("book");
    assertThat(page.locator(".flow-picture .graph-frame .ask")).containsText("finance");
    assertThat(page.locator(".flow-aside")).containsText("POST /hooks/shipments");
    assertThat(page.locator(".instants li").first()).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
  }

  @Test
  void a_form_of_the_schema_shows_the_key_and_starts_a_run_once() {
    site.chromium.expect(400, "/runs/check");
    Page page = site.visit("/flows/shipment?tab=start");
    assertThat(page.locator(".outlook")).containsText("cannot start with this input yet");

    page.getByLabel("id required").fill("S-77");
    page.getByLabel("carrier required").selectOption("<script>alert(1)</script>");
    page.getByLabel("weight required").fill("2.50");
    page.getByText("Add", new Page.GetByTextOptions().setExact(true)).click();
    page.locator(".schema-item input").fill("fragile");
    page.getByLabel("city required").fill("Köln 📦");
    assertThat(page.locator(".outlook")).containsText("Starts a new run");
    assertThat(page.locator(".outlook-key")).hasText("S-77");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Start the run").click();

    assertThat(page).hasURL(Pattern.compile("/runs/r-"));
    assertThat(page.locator("h1")).hasText("S-77");
    var run = site.server.get("/api/runs?flow=shipment&key=S-77").body().at("/items/0");
    assertThat(run.at("/input").toString())
        .contains("\"weight\":2.50", "\"tags\":[\"fragile\"]", "Köln 📦")
        .doesNotContain("parcels", "express");
  }

  @Test
  void a_second_start_is_told_before_and_after_and_starts_nothing() {
    site.chromium.expect(400, "/runs/check");
    site.chromium.expect(409, "/api/flows/shipment/runs");
    Page page = site.visit("/flows/shipment?tab=start");
    page.getByText("JSON", new Page.GetByTextOptions().setExact(true)).click();
    page.locator("textarea").fill("{\"id\": \"S-1\", \"carrier\": \"dhl\", \"weight\": 2}");
    assertThat(page.locator(".outlook")).containsText("Starts nothing");
    page.getByText("Start the run").click();
    assertThat(page.getByText("Nothing was started")).isVisible();

    page.locator("textarea").fill("{\"id\": \"S-1\", \"carrier\": \"dhl\", \"weight\": 9}");
    assertThat(page.locator(".outlook")).containsText("another input has the key");
    assertThat(page.locator(".outlook")).containsText("weight");
    page.getByText("Start the run").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("belongs to run");
    page.locator("textarea").fill("{\"id\": ");
    assertThat(page.getByText("This is not JSON yet").first()).isVisible();
    assertThat(site.server.get("/api/runs?flow=shipment&key=S-1").body().at("/items").size())
        .isEqualTo(1);
  }

  @Test
  void a_flow_without_a_key_gets_one_from_the_form() {
    Page page = site.visit("/flows/free?tab=start");
    page.getByLabel("Key").fill("by-hand");
    assertThat(page.locator(".outlook-key")).hasText("by-hand");
    page.getByText("Start the run").click();
    assertThat(page.locator("h1")).hasText("by-hand");
  }

  @Test
  void findings_are_beside_the_lines_of_the_draft_and_saving_removes_them() {
    site.chromium.expect(409, "/api/flows/shipment/draft");
    Page page = site.visit("/flows/shipment?tab=draft");
    assertThat(page.locator(".source-finding").first()).isVisible();
    assertThat(page.locator(".source-line.tone-bad")).containsText("lable");
    assertThat(page.getByText("Release", new Page.GetByTextOptions().setExact(true))).isDisabled();
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.getByText("Edit", new Page.GetByTextOptions().setExact(true)).click();
    page.locator("textarea").fill(FlowSeed.good().replace("parcel for", "shipment for"));
    FlowSeed.draft(site.server, FlowSeed.good());
    page.getByText("Save the draft").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("was changed by");
    page.getByText("Cancel").click();
    assertThat(page.locator(".source-line.tone-bad")).hasCount(0);

    page.getByText("Release", new Page.GetByTextOptions().setExact(true)).click();
    page.getByLabel("Note").fill("As before");
    page.locator("dialog .primary").click();
    assertThat(page.getByText(Pattern.compile("It is release \\d now"))).isVisible();
  }

  @Test
  void a_draft_runs_from_its_page_sends_nothing_and_shows_what_it_would_send() {
    site.chromium.expect(400, "/runs/check.*");
    site.server.release(
        """
        flow: sketch
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        """);
    Page page = site.visit("/flows/sketch?tab=draft");
    page.getByText("Run the draft").first().click();
    assertThat(page).hasURL(Pattern.compile("tab=start&draft=1"));
    page.locator(".start-input input").first().fill("SKETCH-1");
    page.locator(".start-form .primary").click();

    Locator sends = page.locator(".would-send");
    assertThat(sends).containsText("it has sent nothing. A real run would send 1 effect");
    assertThat(sends.locator("li")).containsText("SKETCH-1");
    assertThat(page.locator(".run-title")).containsText("Succeeded");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.reload();
    assertThat(sends.locator("li")).containsText("sketch/charge");
    assertThat(site.server.get("/api/effects?keyPrefix=SKETCH").body().path("items").isEmpty())
        .isTrue();
  }

  @Test
  void making_a_release_live_shows_the_difference_first() {
    Page page = site.visit("/flows/shipment?tab=releases");
    assertThat(page.locator(".diff")).containsText("> 800");
    assertThat(page.locator(".diff")).not().containsText("required: [id, carrier, weight]");
    page.locator(".diff-fold").first().click();
    assertThat(page.locator(".diff")).containsText("required: [id, carrier, weight]");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.locator("tr", has("Fewer approvals")).getByText("Make it live").click();
    assertThat(page.locator("dialog .diff")).containsText("> 800");
    assertThat(page.locator("dialog")).containsText("stay on the release");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByLabel(Pattern.compile("Also if it needs")).check();
    page.locator("dialog .primary").click();
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(site.server.get("/api/flows/shipment").at("/live")).isEqualTo("3");

    page.locator("tr", has("Approvals wait longer")).getByText("Roll back").click();
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog")).hasCount(0);
    site.server.put("/api/flows/shipment/live", "{\"release\": 2, \"allowMissing\": true}");
  }

  @Test
  void a_flow_is_retired_after_a_question() {
    site.server.release("flow: old\nsteps:\n  - {id: note, set: {text: hello}}\n");
    Page page = site.visit("/flows/old");
    page.getByText("Retire", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("dialog")).containsText("Runs that are under way go on");
    page.getByText("Retire the flow").click();
    assertThat(page.locator(".page-title")).containsText("Retired");
    assertThat(site.server.get("/api/flows/old").at("/live")).isEqualTo("null");
  }

  @Test
  void a_token_that_reads_sees_no_actions() {
    String token =
        site.server
            .post("/api/tokens", "{\"name\": \"reader\", \"scopes\": [\"flows:read\"]}")
            .at("/token");
    try (var person = site.loggedIn(token, 1280, 800, ColorScheme.LIGHT)) {
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/flows/shipment?tab=releases").toString());
      assertThat(page.locator(".table tbody tr").first()).isVisible();
      assertThat(page.getByText("Make it live")).hasCount(0);
      assertThat(page.getByText("Retire", new Page.GetByTextOptions().setExact(true))).hasCount(0);
      assertThat(page.locator(".nav")).not().containsText("Runs");
    }
  }

  private static Page.LocatorOptions has(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }
}
