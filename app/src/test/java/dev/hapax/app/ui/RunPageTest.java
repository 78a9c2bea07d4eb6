package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.SelectOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run in a real browser: its first line, its timeline, its steps, its graph and its actions. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class RunPageTest {
  private static final Page.GetByTextOptions EXACT = new Page.GetByTextOptions().setExact(true);

  @TempDir static Path folder;
  private static UiSite site;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    RunSeed.into(site.server);
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
    return page.locator(".tl-row", new Page.LocatorOptions().setHasText(text)).first();
  }

  @Test
  void a_doubt_is_in_the_first_line_and_in_the_timeline_with_its_attempts() {
    site.server.mood("pay-S-1", "lost");
    String run = RunSeed.shipment(site.server, "S-1", 4);
    RunSeed.awaitStatus(site.server, run, "review");

    Page page = site.visit("/runs/" + run);
    assertThat(page.locator(".once")).containsText("6 effects: 5 done, 1 in review");
    assertThat(row(page, "reserve").locator(".tl-seg.backoff").first()).isVisible();
    assertThat(row(page, "reserve").locator(".tl-tries")).hasText(Pattern.compile("\\d×"));
    assertThat(row(page, "S-1-sku-2")).isVisible();
    assertThat(page.locator(".tl-seg.waiting").first()).isVisible();
    assertThat(page.locator(".run-waits")).containsText("pay");
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.locator(".once-part", new Page.LocatorOptions().setHasText("in review")).click();
    assertThat(page.locator(".tl-row")).hasCount(1);
    page.goBack();
    row(page, "pay").click();
    assertThat(page).hasURL(Pattern.compile("step=pay"));
    Locator opened = page.locator(".tl-open");
    assertThat(opened).containsText("In review");
    assertThat(opened).containsText("connection reset");
    assertThat(opened).containsText("Wire key");
    assertThat(opened.getByText("Settle it")).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.reload();
    assertThat(opened).containsText("connection reset");
    page.keyboard().press("Escape");
    assertThat(opened).hasCount(0);

    page.getByText("Graph", EXACT).click();
    assertThat(page.locator(".graph-frame .taken").first()).isVisible();
    assertThat(page.locator(".graph-frame .s-review")).hasCount(1);
    assertThat(page.locator(".graph-frame .left").first()).isAttached();
    assertThat(Axe.seriousIn(page)).isEmpty();
  }

  @Test
  void a_settled_doubt_appears_at_once_with_who_settled_it_and_why() {
    site.server.mood("pay-S-7", "lost");
    String run = RunSeed.shipment(site.server, "S-7", 1);
    RunSeed.awaitStatus(site.server, run, "review");
    Page page = site.visit("/runs/" + run + "?step=pay");
    assertThat(page.locator(".tl-open")).containsText("Came to a person");

    site.server.post(
        "/api/effects/" + DeskSeed.effect(site.server, "S-7") + "/settle",
        "{\"decision\": \"happened\", \"revision\": 1, \"attempt\": 1, \"result\": {\"charged\":"
            + " \"S-7\"}, \"reason\": \"found at the bank\"}");
    assertThat(page.locator(".tl-open")).containsText("Settled by a person");
    assertThat(page.locator(".tl-open")).containsText("found at the bank");
    assertThat(page.locator(".run-title")).containsText("Succeeded");
    assertThat(page.locator(".once")).containsText("4 effects: 4 done");
  }

  @Test
  void a_stopped_duplicate_names_the_run_that_did_it_first() {
    String first = RunSeed.start(site.server, "shared", Map.of("id", "one", "order", "O-1"));
    RunSeed.awaitStatus(site.server, first, "succeeded");
    String second = RunSeed.start(site.server, "shared", Map.of("id", "two", "order", "O-1"));
    RunSeed.awaitStatus(site.server, second, "succeeded");

    Page page = site.visit("/runs/" + second);
    assertThat(page.locator(".once")).containsText("1 effect: 1 answered from the ledger");
    page.locator(".once-part").click();
    row(page, "charge").click();
    assertThat(page.locator(".tl-open")).containsText("A duplicate was stopped");
    page.locator(".tl-open .notice a").click();
    assertThat(page.locator("h1")).hasText("one");
  }

  @Test
  void what_was_done_is_undone_and_both_are_seen() {
    site.server.mood("label-S-2", "refused");
    String run = RunSeed.shipment(site.server, "S-2", 2);
    RunSeed.awaitStatus(site.server, run, "compensated");

    Page page = site.visit("/runs/" + run);
    assertThat(page.locator(".run-title")).containsText("Undone");
    assertThat(row(page, "Undoing begins")).isVisible();
    assertThat(row(page, "Undo pay")).isVisible();
    // three were done and are undone; their undos are no effects that are done
    assertThat(page.locator(".once"))
        .hasText(Pattern.compile("^[45] effects: .*\\d undone.*1 failed"));
    assertThat(page.locator(".run-actions")).not().containsText("Rerun");
    row(page, "Ended").click();
    assertThat(page.locator(".tl-open")).not().containsText("Rerun");
  }

  @Test
  void the_steps_of_the_graph_are_opened_by_the_keyboard() {
    String run = RunSeed.shipment(site.server, "G-1", 1);
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.visit("/runs/" + run + "?tab=graph");
    var step = page.locator(".graph-frame [role=link][aria-label^='reserve']");
    assertThat(step).hasAttribute("tabindex", "0");
    assertThat(Axe.seriousIn(page)).isEmpty();
    step.focus();
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("find=reserve"));
  }

  @Test
  void a_large_value_is_loaded_only_when_a_person_opens_it() {
    String mark = "the-mark-of-a-large-value";
    String large = "x".repeat(1_000_000) + mark;
    String run =
        RunSeed.start(site.server, "order", Map.of("id", "LARGE-1", "total", 1, "text", large));
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.visit("/runs?keyPrefix=LARGE-");
    List<String> sizes = new CopyOnWriteArrayList<>();
    page.onResponse(
        answer -> {
          if (answer.url().contains("/api/runs")) {
            sizes.add(answer.url());
          }
        });
    assertThat(page.locator(".run-row")).containsText("input of 1.0 MB");
    page.locator(".run-row").click();
    page.getByText("Values", new Page.GetByTextOptions().setExact(true)).click();
    var input = page.locator(".run-values .payload").first();
    assertThat(input.locator("summary").first()).containsText("1.0 MB");
    assertThat(sizes).allMatch(url -> url.contains("payloads=preview") || !url.endsWith(run));

    var answer =
        page.waitForResponse(
            found -> found.url().endsWith("/api/runs/" + run),
            () -> input.locator("summary").first().click());
    assertThat(answer.text()).contains(mark);
    assertThat(input.locator(".json")).containsText("LARGE-1");
  }

  @Test
  void a_page_follows_its_run_without_a_reload() {
    site.server.mood("reserve-S-3", "busy");
    site.server.mood("pay-S-3", "fine");
    String run =
        RunSeed.start(
            site.server, "shipment", Map.of("id", "S-3", "lines", List.of(Map.of("sku", "x"))));
    Page page = site.visit("/runs/" + run);
    assertThat(page.locator(".run-title")).containsText("Retrying");
    assertThat(page.locator(".run-waits")).containsText("tries again");
    assertThat(page.locator(".run-waits")).containsText("next try");

    site.server.mood("reserve-S-3", "fine");
    assertThat(page.locator(".run-title")).containsText("Succeeded");
    assertThat(row(page, "label")).isVisible();
    assertThat(row(page, "Ended")).isVisible();
  }

  @Test
  void parents_children_and_repeats_are_linked() {
    String run = RunSeed.family(site.server, "F-1");
    RunSeed.awaitStatus(site.server, run, "succeeded");
    RunSeed.family(site.server, "F-1");
    RunSeed.awaitRepeat(site.server, run);
    Page page = site.visit("/runs/" + run);
    page.locator(".once-part", new Page.LocatorOptions().setHasText("1 repeat stopped")).click();
    assertThat(page).hasURL(Pattern.compile("tab=related"));
    assertThat(page.locator(".run-related")).containsText("Start");
    assertThat(page.locator(".run-related")).containsText("How long it is kept");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.locator("a.related-row").click();

    assertThat(page.locator("h1")).hasText("F-1-child");
    page.locator(".run-head .fact-list a", new Page.LocatorOptions().setHasText(run)).click();
    assertThat(page.locator("h1")).hasText("F-1");
  }

  @Test
  void each_action_says_first_what_it_will_do() {
    site.server.mood("C-1", "refused");
    String run = UiSeed.start(site.server, "C-1");
    Page page = site.visit("/runs/" + run);
    page.getByText("Correct the input…").click();
    assertThat(page.locator("dialog")).containsText("Its key must stay the same");
    page.getByLabel("Input as JSON").fill("{\"id\": \"C-1\", \"total\": 9007199254740993}");
    assertThat(Axe.seriousIn(page)).isEmpty();
    page.getByText("Retry with this input").click();
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(site.server.get("/api/runs/" + run).raw().body()).contains("9007199254740993");
    assertThat(page.locator(".run-title")).containsText("Failed");

    page.getByText("Done by hand…").click();
    assertThat(page.locator("dialog")).containsText("Nothing is sent");
    page.getByLabel("Output as JSON").fill("{\"charged\": \"by phone\"}");
    page.getByLabel("Reason").fill("called the bank");
    page.getByText("Record it, and continue").click();
    assertThat(page.locator(".run-title")).containsText("Succeeded");

    row(page, "charge").click();
    assertThat(page.locator(".tl-open")).containsText("called the bank");
    page.getByText("Rerun from here…").click();
    assertThat(page).hasURL(Pattern.compile("/replays\\?runs=.*from=charge"));
    page.goBack();
    assertThat(page.locator(".tl-open")).containsText("called the bank");
  }

  @Test
  void an_open_run_is_canceled_with_a_reason() {
    String run = RunSeed.start(site.server, "one-at-a-time", Map.of("id", "W-1"));
    Page page = site.visit("/runs/" + run);
    assertThat(page.locator(".run-waits")).containsText("waits for a time");
    page.getByText("Cancel…").click();
    assertThat(page.locator("dialog")).containsText("What was done stays done");
    page.getByLabel("Reason").fill("not wanted");
    page.getByText("Cancel the run").click();

    assertThat(page.locator(".run-title")).containsText("Canceled");
    row(page, "Cancel requested").click();
    assertThat(page.locator(".tl-open")).containsText("not wanted");
  }

  @Test
  void a_run_is_copied_for_an_agent_and_compared_with_another() {
    String first = UiSeed.start(site.server, "D-1");
    String second = UiSeed.start(site.server, "D-2");
    try (var person = site.loggedIn(site.server.token(), 1280, 800, ColorScheme.LIGHT)) {
      person.grantPermissions(List.of("clipboard-read", "clipboard-write"));
      Page page = site.chromium.tab(person);
      page.navigate(site.at("/runs/" + first).toString());
      assertThat(row(page, "charge")).isVisible();
      page.locator(".more-menu summary").click();
      page.getByText("Copy for an agent").click();
      assertThat(page.locator(".toast")).hasText("Copied");
      String copied = (String) page.evaluate("navigator.clipboard.readText()");
      assertThat(copied)
          .contains("key 'D-1': succeeded")
          .contains("order/charge key 'D-1': done")
          .contains("hapax explain " + first);

      page.getByText("Values", EXACT).click();
      page.getByLabel("Compare with another run").fill(second);
      page.keyboard().press("Enter");
      assertThat(page.locator(".diff-old").first()).containsText("D-2");
      assertThat(page.locator(".diff-new").first()).containsText("D-1");
      assertThat(page.locator(".run-steps .diff-old").first()).containsText("D-2");
      assertThat(page.locator(".run-steps .diff-new").first()).containsText("D-1");
      assertThat(Axe.seriousIn(page)).isEmpty();
      page.reload();
      assertThat(page.locator(".diff-new").first()).containsText("D-1");
    }
  }

  @Test
  void two_attempts_and_two_items_of_a_step_are_compared() {
    site.server.mood("pay-S-8", "fine");
    String run = RunSeed.shipment(site.server, "S-8", 2);
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.visit("/runs/" + run);
    row(page, "reserve").click();
    Locator attempts = page.locator(".tl-attempts");
    assertThat(attempts.locator(".diff-old").first()).isVisible();
    assertThat(attempts.locator(".diff-new", new Locator.LocatorOptions().setHasText("output")))
        .hasCount(1);
    attempts.getByLabel("Before").selectOption("1");
    attempts.getByLabel("After").selectOption("2");
    assertThat(attempts).containsText("Both attempts went the same way.");
    assertThat(Axe.seriousIn(page)).isEmpty();

    row(page, "S-8-sku-2").click();
    page.getByLabel("Compare the output with")
        .selectOption(new SelectOption().setLabel("pack · S-8-sku-1"));
    assertThat(page.locator(".tl-open .diff-old")).containsText("pack-S-8-sku-1");
    assertThat(page.locator(".tl-open .diff-new")).containsText("pack-S-8-sku-2");
  }

  @Test
  void hostile_values_are_text_and_do_not_slow_the_page() {
    String bad = "<script>alert(1)</script> \u202Egnp.exe 🧾";
    String run =
        RunSeed.start(
            site.server,
            "order",
            Map.of(
                "id",
                bad,
                "large",
                "x".repeat(500_000) + "</script>",
                "emoji",
                "👩‍👩‍👧‍👦".repeat(1000),
                "list",
                IntStream.range(0, 10_000).boxed().toList()));
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.visit("/runs/" + run);
    assertThat(page.locator("h1")).hasText(bad);
    row(page, "charge").click();
    assertThat(page.locator(".tl-open")).containsText("<script>alert(1)</script>");

    page.getByText("Values", EXACT).click();
    Locator input = page.locator(".payload").first();
    assertThat(input.locator("summary")).containsText(Pattern.compile("\\d+ kB"));
    assertThat(input.locator(".json")).hasCount(0);
    input.locator("summary").click();
    assertThat(input.locator(".json")).containsText("9,900 more");
    assertThat((Integer) page.evaluate("document.querySelectorAll('.json *').length"))
        .isLessThan(2000);
    assertThat(page.locator("script[src='']")).hasCount(0);
  }

  @Test
  void keys_walk_through_the_steps_and_zoom() {
    site.server.mood("pay-S-5", "fine");
    String run = RunSeed.shipment(site.server, "S-5", 3);
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.visit("/runs/" + run);
    assertThat(row(page, "reserve")).isVisible();
    page.keyboard().press("j");
    page.keyboard().press("j");
    assertThat(page.locator(".tl-open h2")).containsText("reserve");
    page.keyboard().press("+");
    assertThat(page).hasURL(Pattern.compile("zoom="));
    page.reload();
    assertThat(page.locator(".tl-open h2")).containsText("reserve");
    assertThat(page).hasURL(Pattern.compile("zoom="));
    page.keyboard().press("0");
    page.keyboard().press("Escape");
    assertThat(page).hasURL(Pattern.compile("/runs/[^?]*$"));
    Hands.tabTo(page, "Part of the run");
    page.keyboard().press("ArrowUp");
    assertThat(page).hasURL(Pattern.compile("zoom=0.25"));
  }

  @Test
  void a_phone_shows_the_run_in_its_width() {
    site.server.mood("pay-S-6", "lost");
    String run = RunSeed.shipment(site.server, "S-6", 3);
    RunSeed.awaitStatus(site.server, run, "review");
    try (var person = site.loggedIn(site.server.token(), 390, 844, ColorScheme.DARK)) {
      Page page = site.chromium.tab(person);
      for (String query : List.of("", "?step=pay", "?tab=graph", "?tab=values", "?tab=related")) {
        page.navigate(site.at("/runs/" + run + query).toString());
        assertThat(page.locator(".once")).containsText("in review");
        assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= 390")).isTrue();
        assertThat(Axe.seriousIn(page)).isEmpty();
      }
    }
  }
}
