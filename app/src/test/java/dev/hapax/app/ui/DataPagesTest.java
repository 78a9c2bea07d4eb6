package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.flow.Message;
import dev.hapax.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
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

/** Inbox, outbox and the lists of an admin, in a real browser. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class DataPagesTest {
  private static final String HOSTILE = "<script>alert(1)</script>\u202e\ud83d\udce6";

  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    FlowSeed.into(site.server);
    deliver("evt_1", Map.of("id", "evt_1", "carrier", "dhl", "weight", 2));
    deliver("evt_1", Map.of("id", "evt_1", "carrier", "dhl", "weight", 2));
    deliver("evt_2", Map.of("id", "evt_2", "note", HOSTILE));
    deliver("evt_3", Map.of("id", "evt_3", "carrier", "dhl"));
    site.server.publish("m-1", new Message("shop", "order.paid", Map.of("id", HOSTILE)));
    site.server.put("/api/secrets/psp", "{\"value\": \"sk_very_secret\"}");
    site.server.put(
        "/api/connections/psp",
        "{\"http\": {\"base\": \"https://api.example.com\", \"auth\": {\"bearer\": \"psp\"}}}");
    site.server.put("/api/kv/rates%2Feur", "{\"value\": 1.10}");
    site.server.put("/api/kv/rates%2Fusd", "{\"value\": {\"text\": \"<b>hostile</b>\"}}");
    site.server.post("/api/tenants", "{\"name\": \"acme\"}");
  }

  private static void deliver(String event, Map<String, Object> body) {
    site.server.send(
        HttpRequest.newBuilder(site.at("/hooks/shipments"))
            .setHeader("Content-Type", "application/json")
            .setHeader("X-Event", event)
            .POST(BodyPublishers.ofString(Json.write(body))));
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
  void an_event_shows_why_it_started_nothing_and_is_tried_again() {
    Page page = site.visit("/inbox");
    assertThat(page.locator(".table tbody tr")).hasCount(3);
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByLabel("Repeats").selectOption("true");
    assertThat(page).hasURL(Pattern.compile("repeated=true"));
    assertThat(page.locator(".table tbody tr")).hasCount(1);
    assertThat(page.locator(".table tbody tr")).containsText("1 stopped");
    page.getByLabel("Repeats").selectOption("");
    page.getByLabel("Outcome").selectOption("invalid");
    assertThat(page).hasURL(Pattern.compile("outcome=invalid"));
    assertThat(page.locator(".table tbody tr")).hasCount(2);

    page.getByText("evt_2").click();
    assertThat(page.locator(".json")).containsText("<script>alert(1)</script>");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.reload();
    page.getByText("Try it again").first().click();
    assertThat(page.locator("dialog")).containsText("not started twice");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".toast")).containsText("Invalid");
  }

  @Test
  void a_time_is_tried_again_after_a_dry_run() {
    Page page = site.visit("/inbox");
    page.getByText("Try a time again").click();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".replayed")).containsText("A dry run of 2 events");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".replayed")).containsText("2 events tried again");
  }

  @Test
  void a_message_shows_why_it_waits() {
    Page page = site.visit("/outbox");
    assertThat(page.locator(".table tbody tr")).hasCount(1);
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page.locator(".notice")).containsText("no courier");
    assertThat(page.locator(".json")).containsText("<script>alert(1)</script>\\u202e\ud83d\udce6");
    assertThat(Axe.seriousIn(page)).isEmpty();
  }

  @Test
  void a_connection_is_tested_and_its_secret_is_never_shown() {
    Page page = site.visit("/connections");
    page.getByText("psp", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator(".json")).containsText("api.example.com");
    page.getByText("Test it").click();
    assertThat(page.locator(".table tbody tr").first()).isVisible();
    assertThat(page.content()).doesNotContain("sk_very_secret");
    assertThat(Axe.seriousIn(page)).isEmpty();
  }

  @Test
  void an_entry_is_written_only_over_the_version_that_was_read() {
    site.chromium.expect(409, "/api/kv/.*");
    Page page = site.visit("/kv?prefix=rates%2F");
    assertThat(page.locator(".table tbody tr")).hasCount(2);
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Edit").first().click();
    page.locator("textarea").fill("1.20");
    site.server.put("/api/kv/rates%2Feur", "{\"value\": 1.15}");
    page.locator("dialog .primary").click();
    assertThat(page.locator("dialog [role=alert]")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator(".table tbody tr").first()).containsText("1.15");

    page.getByText("Edit").first().click();
    assertThat(page.locator("textarea")).hasValue("1.15");
    page.locator("textarea").fill("1.20");
    page.locator("dialog .primary").click();
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(site.server.get("/api/kv/rates%2Feur").at("/value")).isEqualTo("1.20");
  }

  @Test
  void a_schedule_is_paused_and_resumed() {
    Page page = site.visit("/schedules");
    assertThat(page.locator(".table tbody tr")).containsText("nightly-shipments");
    assertThat(page.locator(".next-instants li")).hasCount(3);
    page.getByText("Pause", new Page.GetByTextOptions().setExact(true)).click();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".table tbody tr")).containsText("Paused");
    assertThat(site.server.get("/api/schedules/nightly-shipments").at("/paused")).isEqualTo("true");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Resume", new Page.GetByTextOptions().setExact(true)).click();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".table tbody tr")).containsText("Active");
  }

  @Test
  void a_token_is_shown_once_and_revoked() {
    Page page = site.visit("/tokens");
    page.getByText("Make a token").click();
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("robot");
    page.locator("dialog .primary").click();
    assertThat(page.locator("dialog code")).containsText("hapax_");
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(page.content()).doesNotContain("hapax_");
    assertThat(Axe.seriousIn(page)).isEmpty();
    var row = page.locator("tr", new Page.LocatorOptions().setHasText("robot"));
    row.getByText("Revoke").click();
    page.locator("dialog .danger").click();
    assertThat(row).containsText("Revoked");
  }

  @Test
  void the_audit_log_is_checked_and_filtered() {
    Page page = site.visit("/audit");
    assertThat(page.locator(".table tbody tr").first()).isVisible();
    page.getByText("Check the chain").click();
    assertThat(page.locator(".notice.tone-good")).containsText("was not changed");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByPlaceholder("Who, what or about").fill("/api/tenants");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("q=%2Fapi%2Ftenants"));
    assertThat(page.locator(".table tbody tr").first()).containsText("/api/tenants");
  }

  @Test
  void a_tenant_is_suspended_with_a_reason() {
    Page page = site.visit("/tenants");
    var row = page.locator("tr", new Page.LocatorOptions().setHasText("acme"));
    row.getByText("Suspend").click();
    page.getByLabel("Reason").fill("not paid");
    page.locator("dialog .danger").click();
    assertThat(row).containsText("Suspended");
    assertThat(row).containsText("not paid");
    assertThat(Axe.seriousIn(page)).isEmpty();
  }

  @Test
  void settings_and_resources_load_and_keep_their_part_in_the_address() {
    Page page = site.visit("/settings");
    page.getByText("Retention", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page).hasURL(Pattern.compile("tab=retention"));
    page.reload();
    assertThat(page.getByText("Keys are remembered for")).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.navigate(site.at("/settings?tab=agents").toString());
    assertThat(page.locator("main")).containsText("claude mcp add");
    assertThat(page.locator("main")).containsText(site.server.address() + "/mcp");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.navigate(site.at("/settings?tab=secrets").toString());
    assertThat(page.locator(".table")).containsText("psp");
    page.navigate(site.at("/resources").toString());
    assertThat(page.locator(".empty")).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
  }

  @Test
  void a_limited_token_sees_only_what_it_may() {
    site.chromium.expect(403, "/api/tokens.*");
    String wish = "{\"name\": \"limited\", \"scopes\": [\"kv:read\", \"inbox:read\"]}";
    String token = site.server.post("/api/tokens", wish).at("/token");
    try (var person = site.loggedIn(token, 390, 844, ColorScheme.LIGHT)) {
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/kv").toString());
      assertThat(page.locator(".table tbody tr")).hasCount(2);
      assertThat(page.getByText("Edit")).hasCount(0);
      page.getByText("Menu").click();
      for (String hidden : List.of("Tokens", "Flows", "Audit log", "Outbox")) {
        assertThat(page.locator(".nav")).not().containsText(hidden);
      }
      page.getByText("Inbox").click();
      assertThat(page.getByText("Try a time again")).hasCount(0);
      page.navigate(site.at("/tokens").toString());
      assertThat(page.locator("main [role=alert]")).isVisible();
    }
  }
}
