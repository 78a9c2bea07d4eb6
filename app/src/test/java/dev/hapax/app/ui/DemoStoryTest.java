package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.app.DemoParts;
import dev.hapax.app.demo.Demo;
import dev.hapax.app.demo.DemoOptions;
import dev.hapax.app.demo.DemoReport;
import dev.hapax.app.demo.DemoTour;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The story of the demo, followed in a real browser by the pages that the demo names. */
@Tag("server")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class DemoStoryTest {
  private static final int ORDERS = 30;

  /** With it, three mails or the answers to them are lost, and three orders cannot be shipped. */
  private static final long SEED = 4630;

  private static final Pattern OVER = Pattern.compile("Succeeded|In review|Undone");

  @TempDir static Path folder;
  private static Chromium chromium;
  private static Demo demo;
  private static DemoReport report;
  private static DemoTour tour;

  @BeforeAll
  static void play() throws Exception {
    chromium = Chromium.open(); // first: it may be missing
    var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    demo = Demo.open(new DemoOptions(ORDERS, SEED, folder), DemoParts.server(), nowhere, false);
    report = demo.play();
    tour = Objects.requireNonNull(demo.tour());
    if (Screenshots.areWanted()) {
      takePictures();
    }
  }

  @AfterAll
  static void close() throws Exception {
    if (chromium != null) {
      chromium.close();
    }
    if (demo != null) {
      demo.close();
    }
  }

  @AfterEach
  void no_page_had_an_error() {
    assertThat(chromium.errors()).isEmpty();
  }

  private static URI at(String path) {
    return tour.server().resolve(path);
  }

  private static Page login(String path) throws Exception {
    Page page = chromium.tab(chromium.person(1280, 800, ColorScheme.LIGHT));
    page.navigate(at(path).toString());
    logIn(page);
    return page;
  }

  private static void logIn(Page page) throws Exception {
    page.getByLabel("Token").fill(Files.readString(demo.tokenFile()).strip());
    page.keyboard().press("Enter");
  }

  /** Returns the page of the story whose words begin so. */
  private static String pageOf(String words) {
    return tour.stops().stream()
        .filter(stop -> stop.says().startsWith(words))
        .findFirst()
        .orElseThrow()
        .path();
  }

  private static void takePictures() throws Exception {
    Page page = chromium.tab(chromium.person(1280, 800, ColorScheme.LIGHT));
    page.navigate(at("/").toString());
    var pictures = new Screenshots(page, tour.server());
    logIn(page);
    assertThat(page.locator(".headline")).isVisible();
    if (tour.killed() != null) {
      pictures.take("run-killed", tour.killed(), ".tl-open .payload");
    }
    page.context().close();
  }

  @Test
  void the_overview_tells_the_whole_story_and_its_numbers_lead_on() throws Exception {
    Page page = login(pageOf("All of it"));
    assertThat(page.locator(".headline-more")).containsText("duplicates stopped");
    Locator webhooks = page.locator(".bars li", new Page.LocatorOptions().setHasText("Webhooks"));
    assertThat(webhooks.locator("strong")).not().hasText("0");

    webhooks.locator("a").last().click(); // the number
    assertThat(page).hasURL(Pattern.compile("/inbox\\?repeated=true$"));
    assertThat(page.locator(".table tbody tr").first()).containsText("stopped");
    page.goBack();
    page.locator(".chart-legend a", new Page.LocatorOptions().setHasText("undone")).click();
    assertThat(page.locator(".run-row").first()).containsText("ship-order");
  }

  @Test
  void a_webhook_that_came_again_leads_to_its_one_run() throws Exception {
    Page page = login(pageOf("The webhooks"));
    Locator first = page.locator(".table tbody tr").first();
    assertThat(first.locator(".badge")).containsText("stopped");
    String event = first.locator("td").first().innerText();

    first.locator("td").first().locator("a").click();
    assertThat(page.locator("h1")).hasText(event);
    page.locator(".fact-list a[href*='/runs/']").click();
    assertThat(page.locator(".once")).containsText(Pattern.compile("repeats? stopped"));
  }

  @Test
  void the_kill_is_seen_in_a_run_that_it_interrupted() throws Exception {
    assertThat(tour.killed()).as("a run was sending at the kill").isNotNull();
    Page page = login(pageOf("A run that was sending"));

    assertThat(page.locator(".tl-open")).containsText("the process ended while attempt 1");
    assertThat(page.locator(".run-title")).containsText(OVER);
  }

  @Test
  void a_lost_answer_is_decided_and_its_run_goes_on() throws Exception {
    assertThat(report.figures()).as("mails whose answer was lost").doesNotContain(" 0 in review");
    Page page = login(pageOf("The lost answers"));
    page.locator(".review-row").first().click();
    assertThat(page.locator(".review-says")).containsText("only a person can find out");

    page.locator(".decide").first().click();
    page.getByLabel("Reason").fill("the customer has it");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".review-says")).containsText("settled");
    page.getByText("Open the run").click();
    assertThat(page.locator(".run-title")).containsText("Succeeded");
    assertThat(page.locator(".once")).not().containsText("in review");
  }
}
