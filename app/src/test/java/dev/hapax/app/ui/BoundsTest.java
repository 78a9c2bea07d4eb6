package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import dev.hapax.app.TestServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bounds of the web UI, measured in a real browser: 100,000 runs in the store, and a run with
 * 20,000 entries. The median of some tries, after a warm-up, keeps the bound. Other tests run at
 * the same time and can only make tries slower, so that some more rounds are measured before it
 * fails.
 */
@Tag("server")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Order(1)
class BoundsTest {
  private static final int RUNS = 100_000;
  private static final int ENTRIES = 20_000;
  private static final int WARM_UP = 2;
  private static final int TRIES = 7;
  private static final int ROUNDS = 4;
  private static final int ITEMS = 10_000;

  private static final double LIST_MILLIS = 300;
  private static final double OPEN_MILLIS = 1000;
  private static final double TASK_MILLIS = 100;
  private static final double READ_MILLIS = 200;
  private static final double COMPARE_MILLIS = 500;
  private static final int MOST_ROWS = 300;

  private static final List<String> QUERIES =
      List.of(
          "/api/runs?limit=100",
          "/api/runs?limit=100&status=failed",
          "/api/runs?limit=100&status=waiting",
          "/api/runs?limit=100&status=review",
          "/api/runs?limit=100&status=retrying",
          "/api/runs?limit=100&status=partial,failed",
          "/api/runs?limit=100&status=compensated,canceled",
          "/api/runs?limit=100&status=queued,running,waiting,canceling,compensating",
          "/api/runs?limit=100&flow=call-me",
          "/api/runs?limit=100&flow=none",
          "/api/runs?limit=100&status=succeeded&flow=none",
          "/api/runs?limit=100&error=card-refused",
          "/api/runs?limit=100&retryable=true",
          "/api/runs?limit=100&keyPrefix=order-999",
          "/api/runs?limit=100&key=order-99998",
          "/api/runs?limit=100&duplicates=true",
          "/api/runs?limit=100&payloads=preview",
          "/api/find?q=order-9999");

  /** Copies of three runs, each 10 s older than the one before; a number begins with its time. */
  private static final String COPIES =
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO run (number, id, tenant, flow, release, key, status, fingerprints, input, output,
        error, due_at, timeout_at, created_at, ended_at, expires_at, depth, started_by, search)
      SELECT (SELECT min(number) FROM run) - i * 41943040000, randomblob(16), t.tenant, t.flow, t.release,
        t.flow || '-' || i, t.status, t.fingerprints, t.input, t.output, t.error, t.due_at,
        t.timeout_at, t.created_at - i * 10000, t.ended_at, t.expires_at, t.depth, t.started_by, t.search
      FROM n JOIN run t ON t.key =
        CASE WHEN i % 20 = 7 THEN 'bad' WHEN i % 33 = 5 THEN 'waits' ELSE 'good' END
      """;

  /** The time from a request to its whole answer, as the page has it. */
  private static final String ASK =
      """
      async path => { const begin = performance.now(); const answer = await fetch(path);
        if (!answer.ok) throw new Error(path + ': ' + answer.status);
        await answer.json(); return performance.now() - begin; }
      """;

  /** The time from choosing a status to a list that has such runs only. */
  private static final String FILTER =
      """
      ([status, word]) => new Promise(done => { const begin = performance.now();
        const select = document.querySelector('.filters select');
        const seen = () => { const all = [...document.querySelectorAll('.run-row .status')];
          if (all.length > 0 && all.every(one => one.textContent.trim() === word)) done(performance.now() - begin);
          else requestAnimationFrame(seen); };
        select.value = status; select.dispatchEvent(new Event('change', {bubbles: true})); seen(); })
      """;

  /** The time from following a link to the first rows of the run. */
  private static final String OPEN =
      """
      id => new Promise(done => { const begin = performance.now();
        const seen = () => document.querySelectorAll('.tl-row').length > 10
          ? done(performance.now() - begin) : requestAnimationFrame(seen);
        history.pushState({}, '', '/runs/' + id); dispatchEvent(new PopStateEvent('popstate')); seen(); })
      """;

  /**
   * Scrolls through the whole list by 130 frames, and returns the most rows in the document, the
   * longest task, and the longest one of 19 in 20 frames. The observer is given the tasks of a
   * frame after that frame, so it ends some frames later.
   */
  private static final String SCROLL =
      """
      () => new Promise(done => {
        const list = document.querySelector('.tl-body .virtual'); const begin = performance.now();
        let most = 0, frame = 0; const tasks = [];
        const watch = new PerformanceObserver(all => { for (const one of all.getEntries())
          if (one.startTime >= begin) tasks.push(one.duration); });
        watch.observe({type: 'longtask'});
        const next = () => { most = Math.max(most, document.querySelectorAll('.tl-row').length);
          if (frame++ === 130) { watch.disconnect(); tasks.sort((a, b) => b - a); return done([most, tasks[0] ?? 0, tasks[6] ?? 0, list.scrollTop]); }
          list.scrollTop = list.scrollHeight * Math.min(1, frame / 120); requestAnimationFrame(next); };
        list.scrollTop = 0; requestAnimationFrame(next); })
      """;

  /** Watches for long tasks from now on. */
  private static final String WATCH =
      """
      () => { window.longest = 0; new PerformanceObserver(all => { for (const one of all.getEntries())
        window.longest = Math.max(window.longest, one.duration); }).observe({type: 'longtask'}); }
      """;

  /** The longest task since then. The observer is given the tasks of a frame after that frame. */
  private static final String LONGEST =
      "() => new Promise(done => setTimeout(() => done(window.longest), 200))";

  @TempDir static Path folder;
  private static UiSite site;
  private static String large;

  @BeforeAll
  static void open() throws Exception {
    Chromium chromium = Chromium.open(); // first: it may be missing
    try (var server = new TestServer(folder)) {
      server.mood("bad", "refused");
      UiSeed.start(server, "good");
      UiSeed.start(server, "bad");
      String waits = RunSeed.start(server, "call-me", Map.of("id", "waits"));
      RunSeed.awaitStatus(server, waits, "waiting");
      RunSeed.into(server);
      large = RunSeed.many(server, "large", ENTRIES / 2);
      RunSeed.awaitStatus(server, large, "succeeded");
    }
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("hapax.db"));
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(COPIES)).isEqualTo(RUNS);
    }
    site = new UiSite(new TestServer(folder), chromium);
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

  /** Measures until the median of a round keeps the bound, and fails if none does. */
  private static void assertBound(String what, double bound, DoubleSupplier measure) {
    for (int i = 0; i < WARM_UP; i++) {
      var _ = measure.getAsDouble();
    }
    double median = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS && median >= bound; i++) {
      median =
          DoubleStream.generate(measure)
              .limit(TRIES)
              .sorted()
              .skip(TRIES / 2)
              .findFirst()
              .orElseThrow();
    }
    System.out.printf("%4.0f ms of %4.0f: %s%n", median, bound, what);
    assertThat(median).as(what).isLessThan(bound);
  }

  private static double millis(Page page, String script, Object argument) {
    return ((Number) page.evaluate(script, argument)).doubleValue();
  }

  @Test
  void a_list_of_100_000_runs_and_each_filter_answer_within_300_ms() {
    while (site.server.get("/api/find?q=order-99998").body().path("items").isEmpty()) {
      Thread.onSpinWait(); // old runs are indexed in the background
    }
    Page page = site.visit("/runs");
    for (String query : QUERIES) {
      assertBound(query, LIST_MILLIS, () -> millis(page, ASK, query));
    }
  }

  @Test
  void the_first_view_of_a_busy_server_appears_within_1_s() {
    Page page = site.visit("/");
    assertBound(
        "the first view of the overview",
        OPEN_MILLIS,
        () -> {
          page.navigate(site.at("/").toString());
          assertThat(page.locator(".headline")).isVisible();
          return ((Number) page.evaluate("performance.now()")).doubleValue();
        });
  }

  @Test
  void a_person_who_filters_100_000_runs_sees_the_rows_within_300_ms() {
    Page page = site.visit("/runs");
    for (var status : Map.of("failed", "Failed", "waiting", "Waiting").entrySet()) {
      assertBound(
          "the list of runs that are " + status.getKey(),
          LIST_MILLIS,
          () -> {
            page.navigate(site.at("/runs").toString());
            assertThat(page.locator(".run-row").first()).isVisible();
            return millis(page, FILTER, List.of(status.getKey(), status.getValue()));
          });
    }
  }

  @Test
  void a_run_with_20_000_entries_opens_within_1_s_and_scrolls_smoothly() {
    assertThat(entries(large)).isGreaterThanOrEqualTo(ENTRIES);
    Page page = site.visit("/runs");
    assertBound(
        "to open a run with 20,000 entries",
        OPEN_MILLIS,
        () -> {
          page.navigate(site.at("/runs").toString());
          assertThat(page.locator(".run-row").first()).isVisible();
          return millis(page, OPEN, large);
        });
    assertBound(
        "to load the page of such a run",
        OPEN_MILLIS,
        () -> {
          page.navigate(site.at("/runs/" + large).toString());
          assertThat(page.locator(".tl-row").nth(10)).isVisible();
          return ((Number) page.evaluate("performance.now()")).doubleValue();
        });
    assertThat(page.locator(".tl-count"))
        .hasText(Pattern.compile("^10,00\\d rows$"), new HasTextOptions().setTimeout(60_000));
    assertBound(
        "the longest task of 19 in 20 frames while it scrolls",
        TASK_MILLIS,
        () -> scrolled(page).get(1));
    double longest =
        Double.MAX_VALUE; // of all frames: another program can make any one of them late
    for (int i = 0; i < ROUNDS * TRIES && longest >= TASK_MILLIS; i++) {
      longest = Math.min(longest, scrolled(page).get(0));
    }
    assertThat(longest).as("the longest task while it scrolls").isLessThan(TASK_MILLIS);
  }

  @Test
  void a_run_with_20_000_entries_is_read_to_its_end_without_holding_the_page_up() {
    Page page = site.visit("/runs");
    assertBound(
        "the longest task while 20,000 entries are read",
        READ_MILLIS,
        () -> {
          page.navigate(site.at("/runs").toString());
          assertThat(page.locator(".run-row").first()).isVisible();
          page.evaluate(WATCH);
          millis(page, OPEN, large);
          assertThat(page.locator(".tl-count"))
              .hasText(Pattern.compile("^10,00\\d rows$"), new HasTextOptions().setTimeout(60_000));
          return millis(page, LONGEST, "");
        });
  }

  @Test
  void two_lists_of_10_000_items_are_compared_without_holding_the_page_up() {
    List<String> runs = Stream.of(0, 1).map(BoundsTest::withItems).toList();
    Page page = site.visit("/runs/" + runs.get(0) + "?tab=values");
    assertBound(
        "the longest task while two lists of 10,000 items are compared",
        COMPARE_MILLIS,
        () -> {
          page.navigate(site.at("/runs/" + runs.get(0) + "?tab=values").toString());
          page.evaluate(WATCH);
          page.getByLabel("Compare with another run").fill(runs.get(1));
          page.keyboard().press("Enter");
          assertThat(page.locator(".diff-new").nth(99)).isAttached();
          assertThat(page.locator(".diff-fold").first()).isVisible();
          return millis(page, LONGEST, "");
        });
    int lines =
        ((Number) page.evaluate("document.querySelectorAll('.diff span').length")).intValue();
    assertThat(lines).isLessThan(2 * MOST_ROWS * 10);
  }

  /** Starts a run with many items in its input, of which one in a hundred has this total. */
  private static String withItems(int total) {
    List<Map<String, Object>> items =
        IntStream.range(0, ITEMS)
            .mapToObj(i -> Map.<String, Object>of("id", i, "cents", i % 100 == 5 ? total : i))
            .toList();
    Map<String, Object> input = Map.of("id", "items-" + total, "total", 1, "items", items);
    String run = RunSeed.start(site.server, "order", input);
    RunSeed.awaitStatus(site.server, run, "succeeded");
    return run;
  }

  private static List<Double> scrolled(Page page) {
    var found = (List<?>) page.evaluate(SCROLL);
    assertThat(((Number) found.get(0)).intValue()).isBetween(10, MOST_ROWS);
    assertThat(((Number) found.get(3)).intValue()).as("scrolled to the end").isGreaterThan(300_000);
    return List.of(((Number) found.get(1)).doubleValue(), ((Number) found.get(2)).doubleValue());
  }

  private static int entries(String run) {
    int count = 0;
    String after = "";
    do {
      var page = site.server.get("/api/runs/" + run + "/history?limit=200" + after).body();
      count += page.path("items").size();
      after = page.path("next").isNull() ? "" : "&after=" + page.path("next").asString();
    } while (!after.isEmpty());
    return count;
  }
}
