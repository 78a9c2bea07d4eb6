package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.app.TestServer.Reply;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The review desk in a real browser: evidence, decisions, comments. */
@Tag("server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReviewsPageTest {
  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    DeskSeed.into(site.server);
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

  private static Reply review(String effect) {
    return site.server.get("/api/reviews/" + effect);
  }

  @Test
  void causes_limit_the_list_and_one_review_shows_its_evidence() {
    Page page = site.visit("/reviews");
    assertThat(page.locator(".cause").first()).containsText("connection reset");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.locator(".cause", new Page.LocatorOptions().setHasText("trip")).click();
    assertThat(page).hasURL(Pattern.compile("cause="));
    assertThat(page.locator(".review-row")).hasCount(1);
    page.keyboard().press("j");
    assertThat(page.locator(".review-line.selected")).hasCount(1);
    page.keyboard().press("Enter");

    assertThat(page.locator("h1")).hasText("T-77");
    assertThat(page.locator(".runbook")).containsText("hotel's portal");
    assertThat(page.locator(".attempts li").first()).containsText("Sent");
    assertThat(page.locator(".others")).containsText("hold");
    assertThat(page.locator(".comment")).containsText("they answer tomorrow");
    page.reload();
    assertThat(page.locator("h1")).hasText("T-77");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.goBack();
    assertThat(page.locator(".review-row")).hasCount(1);
  }

  @Test
  void the_keyboard_alone_settles_a_review_as_happened() {
    String effect = DeskSeed.lost(site.server, "order", "K-1");
    Page page = site.visit("/reviews/" + effect);
    assertThat(page.locator(".decide").first()).isVisible();

    Hands.tabTo(page, "It happened");
    page.keyboard().press("Enter");
    assertThat(page.locator("dialog")).containsText("nothing is sent");
    assertThat(Axe.seriousIn(page)).isEmpty();
    Hands.tabTo(page, "External id");
    page.keyboard().type("ch_9");
    Hands.tabTo(page, "Result as JSON");
    page.keyboard().type("{\"charged\": \"K-1\", \"cents\": 9007199254740993}");
    Hands.tabTo(page, "Reason");
    page.keyboard().type("seen at the bank");
    page.keyboard().press("Enter");

    assertThat(page.locator(".review-says")).containsText("settled");
    assertThat(review(effect).at("/state")).isEqualTo("done");
    assertThat(review(effect).at("/externalId")).isEqualTo("ch_9");
    assertThat(review(effect).at("/result/cents")).isEqualTo("9007199254740993");
    assertThat(page.locator(".decide")).hasCount(0);
  }

  @Test
  void what_happened_can_be_undone_at_once() {
    String effect = DeskSeed.lost(site.server, "trip", "T-88");
    Page page = site.visit("/reviews/" + effect);

    page.locator(".decide").first().click();
    page.getByLabel("Undo it at once").check();
    page.getByLabel("Reason").fill("booked by mistake");
    page.getByText("Record it and undo it").click();

    assertThat(page.locator(".review-head .status")).hasText("Undone");
    assertThat(review(effect).at("/state")).isEqualTo("undone");
  }

  @Test
  void a_decision_about_what_has_changed_settles_nothing_and_says_what_changed() {
    site.chromium.expect(409, "/api/effects/.*/settle");
    String effect = DeskSeed.lost(site.server, "order", "S-1");
    Page page = site.visit("/reviews/" + effect);
    page.locator(".decide").nth(2).click();
    page.getByLabel("Reason").fill("I give up");

    site.server.post(
        "/api/effects/" + effect + "/settle",
        "{\"decision\": \"not-happened\", \"reason\": \"try\", \"revision\": 1, \"attempt\": 1}");
    while (!review(effect).at("/attempts").equals("2")
        || !review(effect).at("/state").equals("review")) {
      Thread.onSpinWait();
    }
    page.locator("dialog .danger").click();

    assertThat(page.getByRole(AriaRole.ALERT)).containsText("Attempts: was 1, is 2");
    assertThat(review(effect).at("/state")).isEqualTo("review");
    assertThat(page.locator(".facts-grid")).containsText("Attempts2");
  }

  @Test
  void many_of_one_cause_are_settled_by_one_decision() {
    for (int i = 1; i <= 3; i++) {
      DeskSeed.lost(site.server, "trip", "M-" + i);
    }
    String changed = DeskSeed.effect(site.server, "M-2");
    Page page = site.visit("/reviews?flow=trip");
    page.locator(".cause", new Page.LocatorOptions().setHasText("trip")).click();
    assertThat(page.locator(".review-row").nth(2)).isVisible();
    for (int i = 1; i <= 3; i++) {
      page.getByLabel("Select M-" + i).check();
    }
    page.getByText("Settle 3…").click();
    assertThat(page.locator("dialog")).containsText("stops none of the others");
    site.server.post(
        "/api/effects/" + changed + "/settle",
        "{\"decision\": \"abandon\", \"reason\": \"gone\", \"revision\": 1, \"attempt\": 1}");
    page.getByLabel("Abandon").check();
    page.getByLabel("Reason").fill("the hotel has closed");
    page.getByText("Abandon 3 effects").click();

    assertThat(page.locator("dialog")).containsText("2 reviews settled");
    assertThat(page.locator("dialog")).containsText("1 review not settled");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Close").click();
    assertThat(page.getByLabel("Select M-1")).hasCount(0);
  }

  @Test
  void people_take_and_comment_and_hostile_text_is_only_text() {
    String effect = DeskSeed.lost(site.server, "order", DeskSeed.HOSTILE);
    Page page = site.visit("/reviews/" + effect);

    page.getByText("Take it").click();
    assertThat(page.locator(".comments-assignee")).containsText("Assigned to admin");
    page.getByLabel("Comment").fill(DeskSeed.HOSTILE);
    page.locator(".comments-buttons button").click();
    assertThat(page.locator(".comment-text")).hasText(DeskSeed.HOSTILE);
    assertThat(page.locator("h1")).hasText(DeskSeed.HOSTILE);
    assertThat(page.locator("main img")).hasCount(0);

    page.navigate(site.at("/reviews").toString());
    page.getByText("Assigned to me").click();
    assertThat(page.locator(".review-row")).hasCount(1);
    assertThat(page).hasURL(Pattern.compile("assignee=admin"));
  }

  @Test
  void a_token_that_may_only_read_sees_no_decisions() {
    String token = DeskSeed.token(site.server, "reader", "effects:read", "runs:read");
    try (var person = site.loggedIn(token, 390, 844, ColorScheme.LIGHT)) {
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/reviews/" + DeskSeed.effect(site.server, "L-301")).toString());

      assertThat(page.locator("h1")).hasText("L-301");
      assertThat(page.locator(".decide")).hasCount(0);
      assertThat(page.getByText("Take it")).hasCount(0);
      assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= 390")).isTrue();
    }
  }
}
