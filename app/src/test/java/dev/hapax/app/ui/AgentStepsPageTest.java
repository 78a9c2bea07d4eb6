package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.SshServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Steps that ask a model or begin a job on another machine, and effects without a flow. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class AgentStepsPageTest {
  private static final String SORT =
      """
      flow: sort-letter
      key: ${input.id}
      steps:
        - id: classify
          llm:
            connection: model
            model: small-1
            prompt: "${input.text}"
            maxTokens: 100
            schema: {type: object, required: [kind], properties: {kind: {enum: [order, complaint]}}}
            repairs: 2
            cache: flow
          retry: {attempts: 5, delay: 50ms, factor: 1}
      output: {kind: "${steps.classify.output.value.kind}"}
      """;
  private static final String BUILD =
      """
      flow: build
      key: ${input.id}
      steps:
        - id: make
          ssh: {connection: machine, run: sh ./make, args: ["${input.id}"]}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          timeout: 20s
      output: {exit: "${steps.make.output.exit}"}
      """;

  @TempDir static Path folder;
  private static UiSite site;
  private static HttpServer world;

  @BeforeAll
  static void open() throws Exception {
    site = UiSite.open(folder);
    world = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    world.createContext("/v1/chat/completions", AgentStepsPageTest::speak);
    world.createContext("/charges", exchange -> send(exchange, 201, "{\"id\": \"ch_1\"}"));
    world.start();
    String base = "http://127.0.0.1:" + world.getAddress().getPort();
    List<String> local = List.of("127.0.0.1");
    var prices = Map.of("*", Map.of("input", 1, "output", 10));
    connect(
        "model",
        Map.of(
            "llm",
            Map.of(
                "dialect",
                "openai",
                "base",
                base + "/v1",
                "privateHosts",
                local,
                "prices",
                prices)));
    connect("psp", Map.of("http", Map.of("base", base, "privateHosts", local)));
    site.server.release(SORT);
  }

  private static void connect(String name, Map<String, Object> connection) {
    var written = site.server.put("/api/connections/" + name, Json.write(connection));
    assertThat(written.status()).as(written.raw().body()).isLessThan(300);
  }

  /** Fails once, then answers with something else than was asked for, then as it was told to. */
  private static void speak(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    int asked = body.split("\"role\"", -1).length - 1;
    if (asked == 1 && isFirst) {
      isFirst = false;
      send(exchange, 500, "{}");
      return;
    }
    String says = asked == 1 ? "It <b>may</b> be an order." : "{\\\"kind\\\": \\\"order\\\"}";
    send(
        exchange,
        200,
        """
        {"model": "small-1", "choices": [{"index": 0, "message": {"role": "assistant", "content": "%s"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 20, "completion_tokens": 5}}\
        """
            .formatted(says));
  }

  private static volatile boolean isFirst = true;

  private static void send(HttpExchange exchange, int status, String json) throws IOException {
    try (exchange) {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @AfterAll
  static void close() {
    if (site != null) {
      site.close();
      world.stop(0);
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
  void a_run_says_what_its_model_has_cost_and_why_an_answer_was_corrected() {
    String text = "Send two chairs to <script>window.hacked=1</script>";
    String run = RunSeed.start(site.server, "sort-letter", Map.of("id", "L-1", "text", text));
    RunSeed.awaitStatus(site.server, run, "succeeded");
    Page page = site.visit("/runs/" + run);
    Locator facts = page.locator(".run-head .fact-list");
    assertThat(facts)
        .containsText(Pattern.compile("2 questions, 1 repair · 40 in, 10 out · cost 0\\.\\d+"));

    page.locator(".tl-row:has(.tl-step:text-is('classify'))").click();
    Locator model = page.locator(".tl-open .model");
    assertThat(model).containsText("small-1");
    assertThat(model).containsText("20 in, 5 out");
    assertThat(model).containsText("so the model was asked to correct it");
    assertThat(model.locator(".model-calls li")).hasCount(2);
    assertThat(model.locator(".model-calls li").first()).containsText("http-500");
    assertThat(model.locator(".model-calls li").first()).containsText("at most");
    assertThat(model.locator(".model-calls li").last()).containsText("Answered");
    assertThat(Axe.seriousIn(page)).isEmpty();
    Screenshots.take(site, "run-model", "/runs/" + run + "?step=classify", ".tl-open .model-calls");

    String again = RunSeed.start(site.server, "sort-letter", Map.of("id", "L-2", "text", text));
    RunSeed.awaitStatus(site.server, again, "succeeded");
    page.navigate(site.at("/runs/" + again + "?step=classify").toString());
    assertThat(facts).containsText("0 questions · 2 answered from the ledger");
    assertThat(model).containsText("none: the answer was found in the ledger");
  }

  @Test
  void a_job_on_another_machine_shows_what_it_wrote() throws Exception {
    assumeTrue(SshServer.isInstalled(), "could not run: /usr/sbin/sshd is missing");
    try (var host = SshServer.start(Files.createDirectory(folder.resolve("ssh")))) {
      Files.writeString(
          host.home().resolve("make"),
          "echo \"building <b>$1</b>\"; echo 'a warning' >&2; head -c 600000 /dev/zero | tr '\\\\0' z >&2\n");
      site.server.put("/api/secrets/machine-key", Json.write(Map.of("value", host.key())));
      connect(
          "machine",
          Map.of(
              "ssh",
              Map.of(
                  "host", "127.0.0.1",
                  "port", host.port(),
                  "user", host.user(),
                  "hostKeys", List.of(host.fingerprint()),
                  "key", "machine-key",
                  "privateHosts", List.of("127.0.0.1"))));
      site.server.release(BUILD);
      String run = RunSeed.start(site.server, "build", Map.of("id", "B-1"));
      RunSeed.awaitStatus(site.server, run, "succeeded");

      Page page = site.visit("/runs/" + run + "?step=make");
      Locator job = page.locator(".tl-open .job-output");
      assertThat(job).containsText("Exit code");
      assertThat(job.locator("pre").first()).hasText("building <b>B-1</b>");
      assertThat(job.getByText("Download"))
          .hasAttribute("href", Pattern.compile("/api/resources/"));
      assertThat(Axe.seriousIn(page)).isEmpty();
    }
  }

  @Test
  void an_effect_without_a_flow_is_a_run_like_any_other() {
    String wish =
        """
        {"effect": {"name": "charge", "key": "ONCE-1", "guard": "keyed"}, "connection": "psp",
         "http": {"method": "POST", "path": "/charges", "body": {"cents": 40}}}
        """;
    String run = site.server.post("/api/once", wish).at("/run");
    site.server.post("/api/once", wish);
    RunSeed.awaitRepeat(site.server, run);
    Page page = site.visit("/runs/" + run);
    assertThat(page.locator(".once")).containsText("1 effect: 1 done; 1 repeat stopped");
    assertThat(page.locator(".run-head .fact-list")).containsText("an effect without a flow");
    assertThat(page.locator(".run-head .fact-list a[href*='/flows/']")).hasCount(0);
    assertThat(page.locator(".tabs")).not().containsText("Graph");
    assertThat(row(page, "ONCE-1")).isVisible();
    assertThat(Axe.seriousIn(page)).isEmpty();
  }
}
