package dev.hapax.app.ui;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Takes the pictures of the pages over a day of a shop; only with golden=write. */
@Tag("server")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class PicturesTest {
  private static final String ROW = ".table tbody tr";

  @Test
  void every_page_has_its_picture(@TempDir Path folder) throws Exception {
    assumeTrue(Screenshots.areWanted());
    try (Chromium chromium = Chromium.open();
        var day = new ShopDay(folder);
        var site = new UiSite(day.server, chromium)) {
      Page page = chromium.tab(site.loggedIn(day.server.token(), 1280, 800, ColorScheme.LIGHT));
      take(page, new Screenshots(page, day.server.address()), day);
    }
  }

  static void take(Page page, Screenshots pictures, ShopDay day) {
    work(pictures, day);
    recovery(pictures, day);
    build(pictures, day);
    forms(page, pictures, day);
    admin(pictures);
  }

  private static void work(Screenshots pictures, ShopDay day) {
    pictures.take("overview", "/", ".figure.tone-warn"); // it comes last
    pictures.take("runs", "/runs", ".run-asks");
    String doubt = day.first("/api/runs?status=review", "id");
    pictures.take("run", "/runs/" + doubt + "?step=parcel", ".tl-open .payload");
    pictures.take("run-graph", "/runs/" + doubt + "?tab=graph", ".graph-frame .taken");
    String loop = day.first("/api/runs?key=" + ShopDay.LOOP, "id");
    pictures.take("run-loop", "/runs/" + loop, ".tl-row");
    String failed = day.first("/api/runs?status=failed", "id");
    pictures.take("run-failed", "/runs/" + failed, ".tl-row");
    pictures.take(
        "run-undone", "/runs/" + day.first("/api/runs?status=compensated", "id"), ".tl-row");
    pictures.take("reviews", "/reviews", ".review-row");
    String review = day.first("/api/reviews", "id");
    pictures.take("review", "/reviews/" + review, ".attempts li");
    pictures.take("approvals", "/desk", ".ask-row .mono");
    pictures.take("approval", "/desk/" + day.first("/api/approvals?state=open", "id"), ".payload");
    pictures.take("ledger", "/ledger", ROW);
    String done = day.first("/api/effects?name=payment.charge", "id");
    pictures.take("effect", "/ledger/" + done, ".attempts li");
  }

  private static void recovery(Screenshots pictures, ShopDay day) {
    String failed = day.first("/api/runs?status=failed", "id");
    for (String status : List.of("partial", "succeeded")) {
      day.server.post("/api/replays", replay(day.first("/api/runs?status=" + status, "id")));
    }
    String plan = ShopDay.made(day.server.post("/api/replays", replay(failed))).at("/plan");
    pictures.take("replays", "/replays", ".job-row");
    pictures.take("replay", "/replays/" + plan, ".planned-effect");
    job(day, "{\"kind\": \"cancel\", \"filter\": {\"flow\": \"offer\"}, \"plan\": true}");
    job(
        day,
        "{\"kind\": \"retry\", \"filter\": {\"flow\": \"checkout\", \"status\": \"partial\"}}");
    String job =
        job(
            day,
            "{\"kind\": \"retry\", \"filter\": {\"flow\": \"checkout\", \"status\": \"failed\"}, \"plan\": true}");
    pictures.take("job", "/jobs/" + job, ".job-result");
    pictures.take("jobs", "/jobs", ".job-row");
    day.outside.invoices.remove(day.first("/api/effects?name=invoice.create", "key"));
    String report =
        ShopDay.made(
                day.server.post(
                    "/api/reconciliations", "{\"flow\": \"invoice\", \"repair\": true}"))
            .at("/id");
    String path = "/api/reconciliations/" + report;
    ShopDay.await(() -> day.server.get(path).at("/status").equals("succeeded"));
    pictures.take("reconciliation", "/reconciliations/" + report, ".page-title .primary");
    pictures.take("reconciliations", "/reconciliations", ".report-row");
  }

  private static String replay(String run) {
    return Json.write(Map.of("runs", List.of(run), "plan", true));
  }

  private static String job(ShopDay day, String wish) {
    String id = ShopDay.made(day.server.post("/api/jobs", wish)).at("/id");
    ShopDay.await(
        () ->
            !List.of("planning", "running")
                .contains(day.server.get("/api/jobs/" + id).at("/state")));
    return id;
  }

  private static void build(Screenshots pictures, ShopDay day) {
    pictures.take("flows", "/flows", ROW);
    pictures.take("flow", "/flows/checkout", ".graph-frame .effect");
    pictures.take("flow-draft", "/flows/checkout?tab=draft", ".source-finding");
    pictures.take("flow-releases", "/flows/checkout?tab=releases", ".diff");
    pictures.take("connections", "/connections", ROW);
    pictures.take("connection", "/connections/payments", ".payload");
    pictures.take("schedules", "/schedules", ROW);
    pictures.take("inbox", "/inbox", ROW);
    pictures.take("event", "/inbox/" + day.first("/api/inbox?repeated=true", "id"), ".payload");
    pictures.take("outbox", "/outbox", ROW);
    pictures.take("message", "/outbox/" + day.first("/api/outbox", "id"), ".payload");
    pictures.take("kv", "/kv", ROW);
  }

  /** Forms that are filled. */
  private static void forms(Page page, Screenshots pictures, ShopDay day) {
    page.navigate(day.server.address() + "/flows/checkout?tab=start");
    page.getByLabel("order required").fill(ShopDay.LOOP);
    page.getByLabel("total required").fill("49");
    page.getByLabel("customer required").fill("ada@example.com");
    pictures.shoot("flow-start", ".outlook-key");
    page.navigate(day.server.address() + "/resources");
    byte[] file = "article;price\noak-chair;129\n".repeat(4_000).getBytes(StandardCharsets.UTF_8);
    page.setInputFiles("input[type=file]", new FilePayload("prices.csv", "text/csv", file));
    pictures.shoot("resources", "section[role=status]");
  }

  private static void admin(Screenshots pictures) {
    pictures.take("nodes", "/nodes", ROW);
    pictures.take("tokens", "/tokens", ROW);
    pictures.take("tenants", "/tenants", ROW);
    pictures.take("audit", "/audit", ROW);
    pictures.take("settings", "/settings", ".fact-list");
    pictures.take("settings-retention", "/settings?tab=retention", ".fact-list");
    pictures.take("settings-agents", "/settings?tab=agents", "main pre");
  }
}
