package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys do what has the focus, and rows stay chosen while a server changes them. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class KeyboardTest {
  private static final List<String> LISTS =
      List.of(
          "/runs", "/inbox", "/ledger", "/reviews", "/desk", "/flows", "/jobs", "/replays", "/kv");

  private static final String ROWS =
      "main .rows > li, main tbody tr, main .run-row, main .tl-row, main .empty";

  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    DeskSeed.into(site.server);
    RunSeed.into(site.server);
    String wish = "{\"kind\": \"cancel\", \"filter\": {\"flow\": \"none\"}, \"plan\": true}";
    assertThat(site.server.post("/api/jobs", wish).status()).isEqualTo(202);
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

  private static Page visit(String path) {
    Page page = site.visit(path);
    assertThat(page.locator(ROWS).first()).isVisible();
    return page;
  }

  @Test
  void tab_leads_to_a_link_of_each_list_and_enter_follows_it() {
    for (String path : LISTS) {
      Page page = visit(path);
      page.keyboard().press("j");
      Hands.tabTo(page, "Connections");
      page.keyboard().press("Enter");
      assertThat(page).hasURL(Pattern.compile("/connections$"));
      site.leave();
    }
  }

  @Test
  void tab_leads_to_a_button_of_each_list_and_enter_presses_it() {
    for (String path : LISTS) {
      Page page = visit(path);
      page.keyboard().press("j");
      Hands.tabTo(page, "Log out");
      page.keyboard().press("Enter");
      assertThat(page.getByLabel("Token")).isVisible();
      site.leave();
    }
  }

  @Test
  void keys_walk_on_after_a_box_was_ticked_and_after_a_button_was_pressed() {
    Page page = visit("/runs?keyPrefix=A-");
    page.locator(".run-mark").nth(3).check();
    page.keyboard().press("j");
    page.keyboard().press("x");
    assertThat(page.locator(".run-mark").first()).isChecked();
    page.getByText("Unmark").click();
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/runs/r-"));
  }

  @Test
  void what_is_pasted_and_entered_at_once_is_found() {
    Page page = visit("/kv");
    page.keyboard().press("/");
    page.keyboard().insertText("A-1003");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("A-1003");

    page.keyboard().press("/");
    page.keyboard().insertText("A-1004");
    assertThat(page.locator(".find-hits li").first()).containsText("A-1004");
    page.keyboard().press("Control+a");
    page.keyboard().insertText("A-1005");
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("A-1005");
  }

  @Test
  void the_chosen_row_stays_chosen_when_another_comes_before_it() {
    Page page = visit("/ledger?keyPrefix=A-1");
    assertThat(page.locator(".live")).hasText("Live");
    page.keyboard().press("j");
    String key = page.locator("tr.selected td").first().innerText();
    UiSeed.start(site.server, "A-1999");
    Locator first = page.locator(".table tbody tr").first();
    assertThat(first).containsText("A-1999");
    assertThat(page.locator("tr.selected td").first()).hasText(key);
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText(key);
  }

  @Test
  void with_a_cause_chosen_keys_scroll_to_the_row() {
    Page page = site.chromium.tab(site.loggedIn(site.server.token(), 1280, 420, ColorScheme.LIGHT));
    page.navigate(site.at("/reviews").toString());
    page.locator(".cause", new Page.LocatorOptions().setHasText("order")).first().click();
    assertThat(page.locator(".review-line").nth(5)).isVisible();
    for (int i = 0; i < 6; i++) {
      page.keyboard().press("j");
    }
    assertThat(page.locator(".review-line.selected")).isInViewport();
    page.evaluate("window.scrollTo(0, 0)");
    page.keyboard().press("k");
    assertThat(page.locator(".review-line.selected")).isInViewport();
  }

  @Test
  void escape_with_nothing_open_leaves_the_history_of_the_browser() {
    String run = UiSeed.start(site.server, "ESC-1");
    Page page = visit("/runs/" + run);
    Object before = page.evaluate("history.length");
    page.keyboard().press("Escape");
    page.keyboard().press("j");
    assertThat(page.locator(".tl-open")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator(".tl-open")).hasCount(0);
    assertThat(((Number) page.evaluate("history.length")).intValue())
        .isEqualTo(((Number) before).intValue() + 2);
  }

  @Test
  void a_step_that_is_opened_on_a_phone_is_seen_and_the_page_stays() {
    String run = RunSeed.shipment(site.server, "TAP-1", 4);
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.chromium.tab(site.loggedIn(site.server.token(), 390, 600, ColorScheme.LIGHT));
    page.navigate(site.at("/runs/" + run).toString());
    page.locator(".tl-row").last().scrollIntoViewIfNeeded();
    page.evaluate("window.scrollBy(0, 60)");
    assertThat(((Number) page.evaluate("window.scrollY")).intValue()).isPositive();
    page.locator(".tl-row").last().click();
    assertThat(page.locator(".tl-open h2")).isInViewport();
    assertThat(((Number) page.evaluate("window.scrollY")).intValue()).isPositive();
  }

  @Test
  void the_menu_of_filters_closes_by_escape_and_by_a_click_beside_it() {
    Page page = visit("/runs");
    page.locator(".menu summary").click();
    assertThat(page.getByLabel("Value")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.getByLabel("Value")).isHidden();
    page.keyboard().press("Enter");
    assertThat(page.getByLabel("Value")).isVisible();
    page.locator("h1").click();
    assertThat(page.getByLabel("Value")).isHidden();
  }
}
