package dev.hapax.app.ui;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.hapax.app.PublicTools;
import dev.hapax.app.TestServer;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A person logs in at a real issuer, in a real browser. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SAME_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class IssuerLoginPageTest {
  @TempDir static Path folder;
  private static Chromium chromium;
  private static Process issuer;
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    chromium = Chromium.open(); // first: it may be missing
    int port = freePort();
    Path keys = folder.resolve("keys.json");
    var key =
        new RSAKeyGenerator(2048)
            .keyID("one")
            .keyUse(KeyUse.SIGNATURE)
            .algorithm(JWSAlgorithm.RS256)
            .generate();
    Files.writeString(keys, new JWKSet(key).toString(false));
    issuer = PublicTools.start("issuer.js", "" + port, keys.toString());
    server =
        new TestServer(
            folder.resolve("data"),
            "oidc.issuer=http://127.0.0.1:" + port,
            "oidc.audience=urn:hapax",
            "oidc.tenant=default",
            "oidc.clientId=hapax",
            "oidc.clientSecret=a secret of the login",
            "oidc.loginScopes=openid runs:read",
            "oidc.loginParameters=resource=urn:hapax");
    UiSeed.into(server);
  }

  private static int freePort() throws Exception {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @AfterAll
  static void close() {
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      server.close();
    }
    if (issuer != null) {
      issuer.destroy();
      issuer.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }

  /** The pages of the issuer want fonts of another host; errors on them are not ours. */
  private static BrowserContext person() {
    BrowserContext person = chromium.person(1280, 800, ColorScheme.LIGHT);
    person.route(url -> !url.startsWith("http://127.0.0.1:"), Route::abort);
    return person;
  }

  @Test
  void a_person_logs_in_at_the_issuer_and_comes_to_the_page_they_wanted() {
    try (BrowserContext person = person()) {
      Page page = person.newPage();
      page.navigate(server.address() + "/runs?status=failed&keyPrefix=A-");
      if (Screenshots.areWanted()) {
        new Screenshots(page, server.address()).shoot("login", "form");
      }
      page.getByText(Pattern.compile("^Log in at 127\\.0\\.0\\.1")).click();
      page.locator("input[name=login]").fill("ann");
      page.locator("input[name=password]").fill("any");
      page.locator("button[type=submit]").click();
      page.locator("button[type=submit]", has("Continue")).click(); // what the program may do

      assertThat(page.locator(".run-row")).hasCount(1);
      assertThat(page).hasURL(Pattern.compile("/runs\\?status=failed&keyPrefix=A-$"));
      assertThat(page.locator(".nav-caller")).containsText("ann");
      assertThat(page.locator(".nav")).not().containsText("Tokens"); // not asked for
      assertThat(page.evaluate("document.cookie")).isEqualTo("");
      assertThat(page.locator(".live")).hasText("Live");
      page.reload();
      assertThat(page.locator(".run-row")).hasCount(1);

      page.getByText("Log out").click();
      assertThat(page.getByLabel("Token")).isVisible();
    }
  }

  @Test
  void a_login_that_was_refused_says_why_and_the_token_still_works() {
    try (BrowserContext person = person()) {
      Page page = person.newPage();
      page.navigate(server.address() + "/runs?keyPrefix=A-2001");
      page.getByText(Pattern.compile("^Log in at 127\\.0\\.0\\.1")).click();
      page.getByText("Cancel").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("refused the login");
      assertThat(page).hasURL(Pattern.compile("/runs\\?keyPrefix=A-2001$"));
      assertThat(Axe.seriousIn(page)).isEmpty();

      page.getByLabel("Token").fill(server.token());
      page.keyboard().press("Enter");
      assertThat(page.locator(".run-row")).hasCount(1);
    }
  }

  private static Page.LocatorOptions has(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }
}
