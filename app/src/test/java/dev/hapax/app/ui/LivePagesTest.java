package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.hapax.json.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pages beside the list of runs follow what happens, without a reload. */
@Tag("server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class LivePagesTest {
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

  private static Page live(String path) {
    Page page = site.visit(path);
    assertThat(page.locator(".live")).hasText("Live");
    return page;
  }

  private static Locator text(Page page, String text) {
    return page.locator("main").getByText(text).first();
  }

  @Test
  void the_overview_counts_a_run_that_ends() {
    Page page = live("/?span=day");
    Locator succeeded = page.locator(".chart-legend strong").first();
    String before = succeeded.textContent();
    UiSeed.start(site.server, "NEW-1");
    assertThat(succeeded).not().hasText(before);
  }

  @Test
  void a_review_appears_and_goes() {
    Page page = live("/reviews");
    String review = DeskSeed.lost(site.server, "order", "NEW-2");
    assertThat(text(page, "NEW-2")).isVisible();
    site.server.post(
        "/api/effects/" + review + "/settle",
        Json.write(Map.of("decision", "happened", "reason", "seen at the bank")));
    assertThat(page.locator("main").getByText("NEW-2")).hasCount(0);
  }

  @Test
  void an_approval_appears_and_goes() {
    Page page = live("/desk");
    String approval = DeskSeed.offer(site.server, "NEW-3", "a new question");
    assertThat(text(page, "a new question")).isVisible();
    site.server.post("/api/approvals/" + approval, "{\"decision\": \"approve\"}");
    assertThat(page.locator("main").getByText("a new question")).hasCount(0);
  }

  @Test
  void an_effect_appears_in_the_ledger() {
    Page page = live("/ledger?keyPrefix=NEW-4");
    UiSeed.start(site.server, "NEW-4");
    assertThat(text(page, "NEW-4")).isVisible();
  }
}
