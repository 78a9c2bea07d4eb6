package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is stored about a person is seen, exported and erased in a real browser. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class PeoplePageTest {
  private static final String ANN = "ann-canary-4711";
  private static final Page.GetByTextOptions EXACT = new Page.GetByTextOptions().setExact(true);
  private static final String STAY =
      """
      flow: stay
      input: {type: object, properties: {id: {type: string}, person: {type: string, personal: true}}}
      subject: ${input.person}
      key: ${input.id}
      steps:
        - id: book
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
      output: {to: "${input.person}"}
      """;

  @TempDir static Path folder;
  private static UiSite site;
  private static String first;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    site.server.release(STAY);
    first = stay("ST-1", ANN, "fine");
    stay("ST-2", ANN, "lost");
    stay("ST-3", "bob", "fine");
    stay("ST-4", "carol", "fine");
  }

  private static String stay(String id, String person, String mood) {
    site.server.mood(id, mood);
    return DeskSeed.start(site.server, "stay", Map.of("id", id, "person", person));
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

  private static void look(Page page, String id) {
    page.getByLabel("Id of the person").fill(id);
    page.keyboard().press("Enter");
  }

  @Test
  void a_person_is_looked_up_exported_and_erased_and_no_address_names_them() throws Exception {
    Page page = site.visit("/people");
    List<String> addresses = new ArrayList<>();
    page.onRequest(request -> addresses.add(request.url()));
    look(page, ANN);
    assertThat(page.locator(".person-found h2"))
        .hasText("2 runs and 0 events are about this person");
    assertThat(page.locator(".person-found .notice")).containsText("1 run cannot be erased yet");
    assertThat(page.locator(".person-found .table tbody tr")).hasCount(2);
    assertThat(Axe.seriousIn(page)).isEmpty();

    page.getByText("Export", EXACT).click();
    assertThat(page.locator(".person-found .payload summary")).containsText("records");
    Download saved = page.waitForDownload(() -> page.getByText("Save as a file").click());
    assertThat(Files.readString(saved.path())).contains("ST-1", ANN).doesNotContain("bob");

    page.getByText("Erase…").click();
    assertThat(page.locator("dialog")).containsText("This cannot be undone");
    page.getByLabel("Reason").fill("ticket 17");
    page.locator("dialog .danger").click();
    assertThat(page.locator("dialog")).hasCount(0);
    assertThat(page.locator("main section").last()).containsText("ticket 17");
    if (Screenshots.areWanted()) {
      new Screenshots(page, site.server.address()).shoot("people", ".person-found .table tbody tr");
    }
    assertThat(page.locator("main section").last()).containsText("Under way"); // one is in review
    while (!site.server.get("/api/runs/" + first).at("/erased").equals("true")) {
      Thread.onSpinWait();
    }
    assertThat(site.server.get("/api/runs?flow=stay&key=ST-3").raw().body()).contains("bob");
    assertThat(addresses).noneMatch(address -> address.contains(ANN));
    assertThat(page.url()).doesNotContain(ANN);
  }

  @Test
  void a_reason_with_the_id_is_refused_a_reader_erases_nobody_and_the_end_of_an_erasure_is_seen() {
    site.chromium.expect(400, "/api/subjects/erase");
    Page page = site.visit("/people");
    look(page, "carol");
    page.getByText("Erase…").click();
    page.getByLabel("Reason").fill("for carol");
    page.locator("dialog .danger").click();
    assertThat(page.locator("dialog [role=alert]")).containsText("reason");
    page.keyboard().press("Escape");

    String token = DeskSeed.token(site.server, "reader", "subjects:read");
    Page reader = site.chromium.tab(site.loggedIn(token, 390, 844, ColorScheme.DARK));
    reader.navigate(site.at("/people").toString());
    look(reader, "carol");
    assertThat(reader.locator(".person-found h2"))
        .hasText("1 run and 0 events are about this person");
    assertThat(reader.getByText("Erase…")).hasCount(0);
    assertThat(Axe.seriousIn(reader)).isEmpty();

    page.getByText("Erase…").click();
    page.getByLabel("Reason").fill("ticket 18");
    page.locator("dialog .danger").click();
    Locator erasure =
        page.locator(".table tbody tr", new Page.LocatorOptions().setHasText("ticket 18"));
    assertThat(erasure).containsText("Done"); // by itself, when nothing was left
  }
}
