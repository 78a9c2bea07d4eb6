package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import dev.hapax.flow.Message;
import dev.hapax.flow.Rejected;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Actions that are beside the walk of a page: each says what it does, and the server has done it.
 */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class ActionsTest {
  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    DeskSeed.into(site.server);
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

  private static Locator row(Page page, String text) {
    return page.locator(".table tbody tr", new Page.LocatorOptions().setHasText(text));
  }

  private static void button(Page page, String text) {
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(text).setExact(true))
        .first()
        .click();
  }

  @Test
  void an_entry_is_added_and_deleted() {
    Page page = site.visit("/kv");
    button(page, "Add an entry");
    assertThat(page.locator("dialog")).containsText("no entry with this key yet");
    page.getByLabel("Key", new Page.GetByLabelOptions().setExact(true)).fill("rates/gbp");
    page.locator("dialog textarea").fill("{\"rate\": 9007199254740993}");
    page.locator("dialog .primary").click();
    assertThat(row(page, "rates/gbp")).containsText("9007199254740993");

    row(page, "rates/gbp").getByText("Delete").click();
    assertThat(page.locator("dialog")).containsText("find nothing from now on");
    page.locator("dialog .danger").click();
    assertThat(row(page, "rates/gbp")).hasCount(0);
    assertThat(site.server.get("/api/kv").body().path("items").size()).isZero();
  }

  @Test
  void a_connection_is_deleted() {
    site.server.put("/api/connections/old", "{\"http\": {\"base\": \"https://old.example.com\"}}");
    Page page = site.visit("/connections/old");
    button(page, "Delete");
    assertThat(page.locator("dialog")).containsText("wait until it is there again");
    page.locator("dialog .danger").click();
    assertThat(page).hasURL(Pattern.compile("/connections$"));
    assertThat(page.locator("main h1")).hasText("Connections");
    assertThat(site.server.get("/api/connections").raw().body()).doesNotContain("old.example");
  }

  @Test
  void the_past_runs_of_a_schedule_are_started_once() {
    Page page = site.visit("/schedules");
    button(page, "Backfill");
    assertThat(page.locator("dialog")).containsText("gets no second one");
    page.getByLabel("Received from").fill("2026-01-01T00:00");
    page.getByLabel("until").fill("2026-01-03T00:00");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".toast")).containsText("2");
    var runs = site.server.get("/api/runs?flow=shipment&keyPrefix=night").body().path("items");
    assertThat(runs.size()).isEqualTo(2);
  }

  @Test
  void a_tenant_is_created_and_resumed() {
    Page page = site.visit("/tenants");
    button(page, "Create a tenant");
    page.getByLabel("Tenant", new Page.GetByLabelOptions().setExact(true)).fill("globex");
    page.locator("dialog .primary").click();
    assertThat(row(page, "globex")).containsText("Active");
    site.server.post("/api/tenants/globex/suspend", "{\"reason\": \"audit\"}");
    page.reload();
    row(page, "globex").getByText("Resume").click();
    assertThat(page.locator("dialog")).containsText("accepted again");
    page.getByLabel("Reason").fill("audit is over");
    page.locator("dialog .primary").click();
    assertThat(row(page, "globex")).containsText("Active");
  }

  @Test
  void a_file_is_stored_and_found_by_its_reference() {
    Page page = site.visit("/resources");
    byte[] file = "id,cents\nA-1,4000\n".getBytes(StandardCharsets.UTF_8);
    page.getByLabel("Store a file").setInputFiles(new FilePayload("orders.csv", "text/csv", file));
    assertThat(page.locator("section[role=status]")).containsText("res://");
    assertThat(page.locator("section[role=status]")).containsText("text/csv");
    String ref = page.locator("section[role=status] .mono").innerText();

    page.navigate(site.at("/resources?ref=" + ref).toString());
    String href = page.getByText("Download").getAttribute("href");
    assertThat(site.server.get(href).raw().body()).isEqualTo("id,cents\nA-1,4000\n");
  }

  @Test
  void a_planned_job_is_canceled_and_has_done_nothing() {
    String wish = "{\"kind\": \"cancel\", \"filter\": {\"flow\": \"offer\"}, \"plan\": true}";
    String job = site.server.post("/api/jobs", wish).at("/id");
    Page page = site.visit("/jobs/" + job);
    assertThat(page.locator(".page-title .status")).hasText("Planned");
    button(page, "Cancel");
    page.locator("dialog .danger").click();
    assertThat(page.locator(".page-title .status")).hasText("Canceled");
    assertThat(site.server.get("/api/runs?flow=offer&status=canceled").body().path("items").size())
        .isZero();
  }

  @Test
  void a_question_is_answered_with_no() {
    String id = DeskSeed.offer(site.server, "NO-1", "a bench");
    Page page = site.visit("/desk/" + id);
    page.locator(".ask-choices .danger").click();
    page.getByLabel("Comment").fill("too expensive");
    page.locator("dialog .danger").click();
    assertThat(page.locator(".notice")).containsText("Rejected by admin");
    assertThat(site.server.get("/api/approvals/" + id).at("/decision/decision"))
        .isEqualTo("reject");
  }

  @Test
  void an_earlier_release_is_live_again_after_its_difference_was_shown() {
    Page page = site.visit("/flows/shipment?tab=releases");
    row(page, "Roll back").last().getByText("Roll back").click();
    assertThat(page.locator("dialog .diff")).isVisible();
    page.getByLabel(Pattern.compile("Also if it needs")).check();
    page.locator("dialog .primary").click();
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(site.server.get("/api/flows/shipment").at("/live")).isEqualTo("1");
    site.server.put("/api/flows/shipment/live", "{\"release\": 2, \"allowMissing\": true}");
  }

  @Test
  void a_dead_message_is_delivered_again_under_its_id() {
    var refuses = new AtomicBoolean(true);
    var arrived = new ConcurrentLinkedQueue<String>();
    site.server.courier(
        "crm",
        message -> {
          if (refuses.get()) {
            throw new Rejected("gone", "the receiver knows no such customer");
          }
          arrived.add(message.id());
        });
    site.server.publish("dead-1", new Message("crm", "order.paid", Map.of("id", "A-1")));
    Page page = site.visit("/outbox?status=dead");
    assertThat(row(page, "crm")).containsText("no such customer");
    row(page, "crm").locator("a").first().click();
    String id = page.locator(".fact-list .mono").innerText();
    refuses.set(false);
    button(page, "Deliver again");
    assertThat(page.locator("dialog")).containsText("same id, " + id);
    page.locator("dialog .primary").click();
    assertThat(page.locator(".page-title .status")).hasText("Delivered");
    assertThat(arrived).containsExactly(id);
  }

  @Test
  void a_review_is_given_to_a_person() {
    String effect = DeskSeed.lost(site.server, "order", "GIVE-1");
    Page page = site.visit("/reviews/" + effect);
    button(page, "Assign");
    page.getByLabel("Assign to").fill("ada");
    page.keyboard().press("Enter");
    assertThat(page.locator(".comments-assignee")).containsText("Assigned to ada");
    assertThat(site.server.get("/api/reviews/" + effect).at("/assignee")).isEqualTo("ada");
  }

  @Test
  void the_inbox_is_limited_to_what_came_again_and_runs_to_several_statuses() {
    site.server.mood("MANY-1", "refused");
    UiSeed.start(site.server, "MANY-1");
    String waits = RunSeed.start(site.server, "call-me", Map.of("id", "MANY-2"));
    RunSeed.awaitStatus(site.server, waits, "waiting");
    Page page = site.visit("/runs?status=partial,failed,waiting&keyPrefix=MANY-");
    assertThat(page.locator(".run-row")).hasCount(2);
    assertThat(page.getByLabel("Status")).hasValue("partial,failed,waiting");
    assertThat(page.locator(".bulk")).hasCount(0);

    page.navigate(site.at("/inbox?repeated=true").toString());
    assertThat(page.locator(".empty")).isVisible();
    assertThat(page.getByLabel("Repeats")).hasValue("true");
  }
}
