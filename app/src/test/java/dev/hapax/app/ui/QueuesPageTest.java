package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.PostgresServer;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queues in a real browser, which read tables of a real PostgreSQL server. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class QueuesPageTest {
  private static final String FLOW =
      """
      flow: %1$s
      input: {type: object, required: [order], properties: {order: {type: string}}}
      key: ${input.order}
      triggers:
        - queue:
            connection: shop-db
            queue: %1$s
            name: shop-%1$s
            done: read_at
            event: "${event.body.message}"
            filter: "${event.body.kind != 'draft'}"
            input: {order: "${event.body.name}"}
      steps:
        - {id: keep, kv: {put: {key: "%1$s/${input.order}", value: true}}}
      output: {order: "${input.order}"}
      """;

  @TempDir static Path folder;
  private static UiSite site;
  private static String database;

  @BeforeAll
  static void open() throws Exception {
    assumeThat(PostgresServer.obstacle()).as("PostgreSQL for tests").isNull();
    site = UiSite.open(folder);
    database = PostgresServer.shared().newDatabase();
    URI url = URI.create(database.substring("jdbc:".length()));
    Map<String, Object> shop =
        Map.of(
            "host", url.getHost(),
            "port", url.getPort(),
            "database", url.getPath().substring(1),
            "user", "hapax",
            "tls", "none",
            "privateHosts", List.of(url.getHost()));
    site.server.put("/api/connections/shop-db", Json.write(Map.of("postgres", shop)));
    for (String name : List.of("orders", "refunds", "returns")) {
      execute(
          """
          CREATE TABLE %s (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            message text NOT NULL, kind text NOT NULL, name text, read_at timestamptz)
          """
              .formatted(name));
      site.server.release(FLOW.formatted(name));
    }
    site.server.release(FLOW.formatted("forgotten")); // its table does not exist
    send("refunds", "f-1", "paid", "'F-1'");
    send("refunds", "f-2", "paid", "'F-2'");
    send("orders", "m-1", "paid", "'A-1'");
    send("orders", "m-2", "paid", "'A-2'");
    send("orders", "m-2", "paid", "'A-2'");
    send("orders", "m-3", "draft", "'A-3'");
    send("orders", "m-4", "paid", "null");
    send("orders", "<script>window.hacked=1</script>", "paid", "'\u202Egnp.\uD83E\uDDFE'");
  }

  private static void send(String table, String message, String kind, String name)
      throws SQLException {
    execute(
        "INSERT INTO %s (message, kind, name) VALUES ('%s', '%s', %s)"
            .formatted(table, message, kind, name));
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
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

  private static Locator row(Page page, String queue) {
    return page.locator(".table tbody tr", new Page.LocatorOptions().setHasText(queue));
  }

  private static Locator cell(Locator row, String name) {
    return row.locator("td[data-label='" + name + "']");
  }

  private static void press(Locator row, String text) {
    row.getByText(text, new Locator.GetByTextOptions().setExact(true)).click();
  }

  @Test
  void a_queue_shows_what_was_read_and_each_number_leads_to_its_events() {
    Page page = site.visit("/queues");
    Locator orders = row(page, "shop-orders");
    assertThat(cell(orders, "Received")).hasText("5");
    assertThat(cell(orders, "Repeats")).hasText("1");
    assertThat(cell(orders, "Invalid")).hasText("1");
    assertThat(cell(orders, "Filtered")).hasText("1");
    assertThat(cell(orders, "State")).containsText("Reading");
    assertThat(cell(orders, "Rate")).hasText(Pattern.compile("\\d+/min"));
    assertThat(cell(orders, "Waiting")).hasText(Pattern.compile("\\d+"));
    assertThat(cell(row(page, "shop-forgotten"), "State")).containsText("Held up");
    assertThat(cell(row(page, "shop-forgotten"), "State")).containsText("forgotten");
    assertThat(Axe.seriousIn(page)).isEmpty();
    if (Screenshots.areWanted()) {
      new Screenshots(page, site.server.address()).shoot("queues", ".table tbody tr:nth-child(3)");
    }

    cell(orders, "Invalid").locator("a").click();
    assertThat(page).hasURL(Pattern.compile("source=queue%2Fshop-orders&outcome=invalid"));
    assertThat(page.locator(".table tbody tr")).hasCount(1);
    page.goBack();
    cell(orders, "Received").locator("a").click();
    assertThat(page.locator("main")).containsText("<script>window.hacked=1</script>");
    assertThat((Boolean) page.evaluate("window.hacked === undefined")).isTrue();
  }

  @Test
  void a_paused_queue_leaves_its_messages_at_the_broker_and_goes_on_when_it_is_resumed()
      throws Exception {
    Page page = site.visit("/queues");
    Locator returns = row(page, "shop-returns");
    press(returns, "Pause");
    assertThat(page.locator("dialog")).containsText("Its messages stay at the broker");
    page.locator("dialog .primary").click();
    assertThat(cell(returns, "State")).hasText("Paused");
    assertThat(site.server.get("/api/queues/shop-returns").at("/status")).isEqualTo("paused");
    send("returns", "r-1", "paid", "'R-1'");
    assertThat(site.server.get("/api/runs?flow=returns").body().path("items").isEmpty()).isTrue();

    press(returns, "Resume");
    page.locator("dialog .primary").click();
    assertThat(cell(returns, "Received")).hasText("1"); // by itself, without a reload
    assertThat(cell(returns, "State")).hasText("Reading");
  }

  @Test
  void messages_that_are_read_again_start_nothing() {
    Page page = site.visit("/queues");
    Locator refunds = row(page, "shop-refunds");
    assertThat(cell(refunds, "Received")).hasText("2");

    press(refunds, "Read again…");
    assertThat(page.locator("dialog")).containsText("Those that came before start nothing");
    page.getByLabel("Since").fill("2020-01-01T00:00");
    page.locator("dialog .primary").click();
    assertThat(page.locator(".toast")).containsText("2 messages come again");
    assertThat(cell(refunds, "Repeats")).hasText("2");
    assertThat(site.server.get("/api/runs?flow=refunds").body().path("items").size()).isEqualTo(2);
  }

  @Test
  void a_reader_sees_the_queues_and_changes_nothing() {
    String token = DeskSeed.token(site.server, "reader", "inbox:read");
    Page page = site.chromium.tab(site.loggedIn(token, 1280, 800, ColorScheme.DARK));
    page.navigate(site.at("/queues").toString());
    assertThat(row(page, "shop-returns")).isVisible();
    assertThat(page.getByText("Pause")).hasCount(0);
    assertThat(page.getByText("Read again…")).hasCount(0);
  }
}
