package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What holds on every page of the UI, over hostile data. A new page is tried, too. */
@Tag("server")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Order(1)
class EveryPageTest {
  private static final int MOST_ELEMENTS = 4_000;

  @TempDir static Path folder;
  private static UiSite site;
  private static Invoices invoices;
  private static List<String> places;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    invoices = new Invoices();
    invoices.into(site.server, 2);
    places = Places.into(site.server).all();
  }

  @AfterAll
  static void close() {
    if (site != null) {
      site.close();
      invoices.close();
    }
  }

  /** A page that is left at once may still have its stream, and a token has few. */
  @BeforeEach
  void streams_may_be_refused() {
    site.chromium.expect(429, "/api/events");
  }

  @AfterEach
  void no_page_had_an_error() {
    site.leave();
    assertThat(site.chromium.errors()).isEmpty();
  }

  /** Goes to a page, and returns when it has everything. */
  private static void go(Page page, String path) {
    page.navigate(site.at(path).toString());
    ready(page);
  }

  private static void ready(Page page) {
    assertThat(page.locator("main h1").first()).not().isEmpty();
    assertThat(page.locator("main .loading")).hasCount(0);
  }

  private static boolean holds(Page page, String script) {
    return (Boolean) page.evaluate(script);
  }

  @Test
  void every_page_opens_and_reloads_asks_no_other_host_and_shows_hostile_text_as_text() {
    Page page = site.chromium.tab(site.loggedIn(site.server.token(), 1280, 800, ColorScheme.LIGHT));
    List<String> elsewhere = new ArrayList<>();
    page.onRequest(
        request -> {
          if (!request.url().startsWith(site.server.address().toString())) {
            elsewhere.add(request.url());
          }
        });

    for (String path : places) {
      go(page, path);
      String title = page.locator("main h1").first().innerText();
      assertThat(page.locator("main [role=alert]")).hasCount(0);
      assertThat(Axe.seriousIn(page)).as(path).isEmpty();
      assertThat(holds(page, "document.querySelectorAll('*').length < " + MOST_ELEMENTS))
          .as("few elements on " + path)
          .isTrue();
      page.reload();
      ready(page);
      assertThat(page.locator("main h1").first()).hasText(title);
      assertThat(page.url()).as("the address of " + path).endsWith(path);
      assertThat(holds(page, "window.hacked === undefined")).as("safe " + path).isTrue();
      assertThat(page.locator("main script, main img[src=x]")).hasCount(0);
    }

    assertThat(elsewhere).isEmpty();
  }

  @Test
  void back_and_forward_lead_through_all_pages() {
    Page page = site.chromium.tab(site.loggedIn(site.server.token(), 1280, 800, ColorScheme.DARK));
    List<String> titles = new ArrayList<>();
    for (String path : places) {
      go(page, path);
      assertThat(Axe.seriousIn(page)).as(path + " in the dark").isEmpty();
      titles.add(page.locator("main h1").first().innerText());
    }

    for (int i = places.size() - 2; i >= 0; i--) {
      page.goBack();
      assertThat(page.locator("main h1").first()).hasText(titles.get(i));
    }
    for (int i = 1; i < places.size(); i++) {
      page.goForward();
      assertThat(page.locator("main h1").first()).hasText(titles.get(i));
    }
  }

  @Test
  void every_page_fits_on_a_phone() {
    Page page = site.chromium.tab(site.loggedIn(site.server.token(), 390, 844, ColorScheme.LIGHT));
    List<String> wide = new ArrayList<>();
    for (String path : places) {
      go(page, path);
      if (!holds(page, "document.documentElement.scrollWidth <= 390")) {
        wide.add(path);
      }
    }
    assertThat(wide).as("pages that scroll sideways").isEmpty();
  }

  @Test
  void every_page_says_in_words_that_a_token_may_not_see_it() {
    site.chromium.expect(403, "/api/.*");
    String token = DeskSeed.token(site.server, "nothing", "metrics:read");
    Page page = site.chromium.tab(site.loggedIn(token, 1280, 800, ColorScheme.LIGHT));
    for (String path : places) {
      page.navigate(site.at(path).toString());
      String says = path.equals("/settings") ? "metrics:read" : "does not allow"; // who one is
      assertThat(page.locator("main")).containsText(says);
    }
  }
}
