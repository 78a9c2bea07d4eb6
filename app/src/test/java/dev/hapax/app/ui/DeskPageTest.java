package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.app.TestServer.Reply;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Approvals in a real browser: approve, reject, send back with other values. */
@Tag("server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class DeskPageTest {
  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    DeskSeed.into(site.server);
    DeskSeed.offer(site.server, "O-2", "Six chairs, 240.00 EUR, in birch.");
    DeskSeed.offer(site.server, "O-3", "A table for ten people, 890.00 EUR, in oak.");
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

  private static Reply approval(String id) {
    return site.server.get("/api/approvals/" + id);
  }

  @Test
  void the_keyboard_alone_approves_and_looking_decides_nothing() {
    String id = DeskSeed.offer(site.server, "K-1", "keys");
    Page page = site.visit("/desk");
    assertThat(page.locator(".ask-row").first()).containsText("K-1");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).containsText("K-1");
    page.reload();
    assertThat(page.locator("h1")).containsText("K-1");
    assertThat(approval(id).at("/state")).isEqualTo("open");

    Hands.tabTo(page, "Approve");
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog")).containsText("goes on");
    assertThat(Axe.seriousIn(page)).isEmpty();
    Hands.tabTo(page, "Comment");
    page.keyboard().type("looks right");
    Hands.tabTo(page, "Approve");
    page.keyboard().press("Enter");

    assertThat(page.locator(".notice")).containsText("Approved by admin");
    assertThat(approval(id).at("/decision/decision")).isEqualTo("approve");
    assertThat(approval(id).at("/decision/comment")).isEqualTo("looks right");
  }

  @Test
  void a_run_is_sent_back_with_edited_values_on_a_phone() {
    String id = DeskSeed.offer(site.server, "R-1", "An oak chair");
    String run = approval(id).at("/run");
    try (var person = site.loggedIn(site.server.token(), 390, 844, ColorScheme.LIGHT)) {
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/desk/" + id).toString());
      assertThat(page.locator(".ask-choices")).isInViewport();

      page.getByText("Send back").click();
      page.getByLabel("Comment").fill("in birch, please");
      page.getByLabel("text", new Page.GetByLabelOptions().setExact(true)).fill("A birch chair");
      page.getByLabel("cents").fill("not a number");
      page.locator("dialog .primary").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("cents: expected JSON");
      page.getByLabel("cents").fill("41.50");
      assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= 390")).isTrue();
      assertThat(Axe.seriousIn(page)).isEmpty();
      page.locator("dialog .primary").click();

      assertThat(page.locator(".notice")).containsText("Sent back by admin");
      Reply decided = approval(id);
      assertThat(decided.at("/decision/values/text")).isEqualTo("A birch chair");
      assertThat(decided.raw().body()).contains("\"cents\":41.50");
      assertThat(approval(DeskSeed.approval(site.server, run)).at("/ask"))
          .contains("A birch chair");
    }
  }

  @Test
  void a_second_rework_begins_with_the_values_of_the_first_in_fields_of_the_schema() {
    site.server.release(
        """
        flow: quote
        key: ${input.id}
        input:
          type: object
          required: [id, text]
          properties:
            id: {type: string}
            text: {type: string}
            wood: {enum: [oak, birch]}
            note: {type: string}
        steps:
          - {id: draft, set: {text: "${rework == null ? input.text : rework.values.text}"}}
          - id: release
            approval: {ask: "Send ${steps.draft.output.text}?", rework: draft, expires: 3d, maxRounds: 5}
        """);
    String run =
        site.server
            .post("/api/flows/quote/runs", "{\"id\": \"Q-1\", \"text\": \"a chair\"}")
            .at("/id");
    Page page = site.visit("/desk/" + DeskSeed.approval(site.server, run));
    page.getByText("Send back").click();
    page.getByLabel("Comment").fill("in birch");
    assertThat(page.locator("dialog select option"))
        .containsText(new String[] {"Not given", "oak", "birch"});
    page.locator("dialog select").selectOption("birch");
    page.getByLabel("note").fill("quickly");
    page.getByLabel("text").fill("a birch chair");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".notice")).containsText("Sent back by admin");

    page.navigate(site.at("/desk/" + DeskSeed.approval(site.server, run)).toString());
    page.getByText("Send back").click();
    assertThat(page.getByLabel("text")).hasValue("a birch chair");
    assertThat(page.getByLabel("note")).hasValue("quickly");
    assertThat(page.locator("dialog select option:checked")).hasText("birch");
  }

  @Test
  void a_decision_that_comes_second_and_a_closed_question_say_so() {
    String id = DeskSeed.offer(site.server, "S-1", "twice");
    Page page = site.visit("/desk/" + id);
    page.locator(".ask-choices .danger").click();
    assertThat(page.locator("dialog")).containsText("rejection");
    site.server.post("/api/approvals/" + id, "{\"decision\": \"approve\"}");
    page.locator("dialog .danger").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("already decided: approved by admin");
    assertThat(approval(id).at("/decision/decision")).isEqualTo("approve");

    String closed = DeskSeed.offer(site.server, "S-2", "canceled");
    site.server.post(
        "/api/runs/" + approval(closed).at("/run") + "/cancel", "{\"reason\": \"no more\"}");
    while (!approval(closed).at("/state").equals("closed")) {
      Thread.onSpinWait();
    }
    page.navigate(site.at("/desk/" + closed).toString());
    assertThat(page.locator(".notice")).containsText("no longer needs an answer");
    assertThat(page.locator(".ask-choices")).hasCount(0);
    page.navigate(site.at("/desk?state=closed").toString());
    assertThat(page.locator(".ask-row")).hasCount(1);
  }

  @Test
  void limited_tokens_see_why_they_cannot_decide_and_hostile_text_is_only_text() {
    String id = DeskSeed.offer(site.server, "H-1", DeskSeed.HOSTILE.repeat(40));
    String reader = DeskSeed.token(site.server, "asker", "approvals:read");
    try (var person = site.loggedIn(reader, 390, 844, ColorScheme.DARK)) {
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/desk/" + id).toString());
      assertThat(page.locator("h1")).containsText("onerror");
      assertThat(page.locator("main img")).hasCount(0);
      assertThat(page.locator(".notice")).containsText("approvals:decide");
      assertThat(page.locator(".ask-choices")).hasCount(0);
      assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= 390")).isTrue();
    }
    String ask =
        DeskSeed.approval(site.server, DeskSeed.start(site.server, "ask", Map.of("id", "ROLE-1")));
    String other = DeskSeed.token(site.server, "decider", "approvals:read", "approvals:decide");
    try (var person = site.loggedIn(other, 1280, 800, ColorScheme.LIGHT)) {
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/desk/" + ask).toString());
      assertThat(page.locator(".notice")).containsText("needs the role finance");
    }
  }
}
