package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
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

/** Slow and lost connections, sessions that end, and two people at once, in a real browser. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class TroubledTest {
  /** The longest pause between two tries to connect is 15 s. */
  private static final ContainsTextOptions PATIENT = new ContainsTextOptions().setTimeout(60_000);

  /** A browser without a window shows every tab; so the document says that it is hidden. */
  private static final String VISIBLE =
      """
      state => { Object.defineProperty(document, 'visibilityState', {get: () => state, configurable: true});
        document.dispatchEvent(new Event('visibilitychange')); }
      """;

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
  void no_script_failed() {
    site.leave();
    assertThat(site.chromium.errors())
        .allMatch(
            error -> error.matches(".*(net::ERR_|status of 503).*"), "is only a lost connection");
  }

  private static BrowserContext desk(String token) {
    return site.loggedIn(token, 1280, 800, ColorScheme.LIGHT);
  }

  @Test
  void a_slow_server_is_said_in_words_and_then_the_page_appears() throws Exception {
    try (var relay = new Relay(site.server.address())) {
      Page page = site.chromium.tab(desk(site.server.token()));
      page.navigate(relay.at("/runs").toString());
      assertThat(page.locator(".run-row").first()).isVisible();

      relay.hold();
      page.getByText("Flows", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(page.locator("main .loading")).containsText("Loading");
      relay.release();
      assertThat(page.locator("main table")).containsText("order");
    }
  }

  @Test
  void a_lost_connection_is_said_and_after_it_nothing_is_missing(@TempDir Path own)
      throws Exception {
    var first = new TestServer(own);
    try (var relay = new Relay(first.address());
        var person = site.chromium.person(1280, 800, ColorScheme.LIGHT)) {
      UiSeed.start(first, "BEFORE-1");
      Page page = site.chromium.tab(person);
      page.navigate(relay.at("/runs").toString());
      page.getByLabel("Token").fill(first.token());
      page.keyboard().press("Enter");
      assertThat(page.locator(".run-row").first()).containsText("BEFORE-1");
      assertThat(page.locator(".live")).hasText("Live");

      relay.cut();
      first.close();
      assertThat(page.locator(".live")).containsText(Pattern.compile("Reconnecting|Stale"));
      assertThat(page.locator(".run-row").first()).containsText("BEFORE-1");
      assertThat(page.locator(".live")).containsText("Stale for", PATIENT);

      try (var second = new TestServer(own)) {
        UiSeed.start(second, "MEANWHILE-1");
        relay.mend(second.address());
        assertThat(page.locator(".live")).containsText("Live", PATIENT);
        assertThat(page.locator("main")).containsText(Pattern.compile("MEANWHILE-1|1 new run"));
      }
    }
  }

  @Test
  void a_tab_that_was_hidden_does_not_call_old_rows_live_and_reads_them_anew() {
    Page page = site.chromium.tab(desk(site.server.token()));
    page.navigate(site.at("/runs?keyPrefix=HIDDEN-").toString());
    assertThat(page.locator(".empty")).isVisible();
    assertThat(page.locator(".live")).hasText("Live");

    page.evaluate(VISIBLE, "hidden");
    assertThat(page.locator(".live")).containsText(Pattern.compile("Reconnecting|Stale"));
    UiSeed.start(site.server, "HIDDEN-1");
    page.evaluate(VISIBLE, "visible");
    assertThat(page.locator(".live")).containsText("Live");
    assertThat(page.locator(".run-row")).containsText("HIDDEN-1");
  }

  @Test
  void a_session_that_ends_leads_to_the_login_and_back_to_the_same_page() {
    site.chromium.expect(401, "/api/.*");
    Reply made =
        site.server.post(
            "/api/tokens", "{\"name\": \"leaver\", \"scopes\": [\"flows:read\", \"runs:read\"]}");
    Page page = site.chromium.tab(desk(made.at("/token")));
    page.navigate(site.at("/flows").toString());
    assertThat(page.locator("main table")).containsText("order");

    site.server.delete("/api/tokens/" + made.at("/id"));
    page.locator(".nav")
        .getByText("Runs", new com.microsoft.playwright.Locator.GetByTextOptions().setExact(true))
        .click();
    assertThat(page.getByLabel("Token")).isVisible();
    assertThat(page.locator("main table, .run-row")).hasCount(0);

    page.getByLabel("Token").fill(site.server.token());
    page.keyboard().press("Enter");
    assertThat(page.locator(".run-row").first()).isVisible();
    assertThat(page).hasURL(Pattern.compile("/runs$"));
  }

  @Test
  void logging_out_in_one_tab_ends_the_session_in_the_other() {
    site.chromium.expect(401, "/api/.*");
    BrowserContext person = desk(site.server.token());
    Page first = site.chromium.tab(person);
    first.navigate(site.at("/flows").toString());
    Page second = site.chromium.tab(person);
    second.navigate(site.at("/kv").toString());
    assertThat(second.locator("main h1")).isVisible();

    first.getByText("Log out").click();
    assertThat(first.getByLabel("Token")).isVisible();
    second.keyboard().press("g");
    second.keyboard().press("f");
    assertThat(second.getByLabel("Token")).isVisible();
  }

  @Test
  void of_two_people_the_second_sees_the_decision_of_the_first() {
    site.chromium.expect(409, "/api/(approvals/.*|effects/.*/settle)");
    String approval = DeskSeed.offer(site.server, "TWO-1", "a chair");
    String review = DeskSeed.lost(site.server, "order", "TWO-2");
    List<String> scopes =
        List.of(
            "approvals:read", "approvals:decide", "effects:read", "effects:settle", "runs:read");
    Page ada =
        site.chromium.tab(desk(DeskSeed.token(site.server, "ada", scopes.toArray(String[]::new))));
    Page bob =
        site.chromium.tab(desk(DeskSeed.token(site.server, "bob", scopes.toArray(String[]::new))));
    bob.navigate(site.at("/desk/" + approval).toString());
    bob.locator(".ask-choices .danger").click();
    ada.navigate(site.at("/desk/" + approval).toString());
    ada.locator(".ask-choices .primary").click();
    ada.locator("dialog .primary").click();
    assertThat(ada.locator(".notice")).containsText("Approved by ada");
    bob.locator("dialog .danger").click();
    assertThat(bob.getByRole(AriaRole.ALERT)).containsText("already decided: approved by ada");

    bob.navigate(site.at("/reviews/" + review).toString());
    bob.locator(".decide").nth(2).click();
    bob.getByLabel("Reason").fill("I give up");
    ada.navigate(site.at("/reviews/" + review).toString());
    ada.locator(".decide").first().click();
    ada.getByLabel("Reason").fill("seen at the bank");
    ada.locator("dialog .primary").click();
    assertThat(ada.locator(".review-says")).containsText("settled");
    bob.locator("dialog .danger").click();
    assertThat(bob.getByRole(AriaRole.ALERT)).isVisible();
    assertThat(site.server.get("/api/reviews/" + review).at("/state")).isEqualTo("done");
  }

  @Test
  void a_person_decides_on_a_phone_and_looking_decides_nothing() {
    String approval = DeskSeed.offer(site.server, "PHONE-1", "a table");
    String review = DeskSeed.lost(site.server, "order", "PHONE-2");
    Page page = site.chromium.tab(site.loggedIn(site.server.token(), 390, 844, ColorScheme.DARK));
    for (String path : List.of("/desk/" + approval, "/reviews/" + review)) {
      page.navigate(site.at(path).toString());
      page.reload();
      assertThat(page.locator("main h1")).isVisible();
    }
    assertThat(site.server.get("/api/approvals/" + approval).at("/state")).isEqualTo("open");
    assertThat(site.server.get("/api/reviews/" + review).at("/state")).isEqualTo("review");

    page.locator(".decide").first().click();
    page.getByLabel("Reason").fill("seen at the bank");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".review-says")).containsText("settled");
    page.navigate(site.at("/desk/" + approval).toString());
    page.locator(".ask-choices .primary").click();
    page.locator("dialog .primary").click();
    assertThat(page.locator(".notice")).containsText("Approved by admin");
  }
}
