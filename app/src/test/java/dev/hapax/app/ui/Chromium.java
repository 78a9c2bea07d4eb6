package dev.hapax.app.ui;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The machine's own Chromium, driven by Playwright on the machine's own Node. A machine that lacks
 * one of them skips these tests, and says so. Notes every error of a page.
 */
final class Chromium implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/chromium");
  private static final List<String> OPTIONS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  /** The browser notes refusals, too: an error, unless a test said that it expects them. */
  private static final Pattern REFUSED = Pattern.compile("status of (4\\d\\d)");

  private static final Pattern NO_SESSION = Pattern.compile("401 \\S*/api/session(:\\d+)*");

  /** Ten times what a page needs, on a machine with other work. */
  private static final double PATIENCE_MILLIS = 20_000;

  private final Playwright playwright;
  private final Browser browser;
  private final List<String> errors = new ArrayList<>();
  private final List<Pattern> expected = new ArrayList<>();

  private Chromium(Playwright playwright) {
    this.playwright = playwright;
    this.browser =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(PROGRAM).setArgs(OPTIONS));
  }

  static Chromium open() {
    Path node = node();
    assumeTrue(Files.isExecutable(PROGRAM), "could not run: chromium is missing");
    assumeTrue(node != null, "could not run: Node is missing");
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    return new Chromium(
        Playwright.create(
            new Playwright.CreateOptions()
                .setEnv(
                    Map.of(
                        "PLAYWRIGHT_NODEJS_PATH",
                        String.valueOf(node),
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1"))));
  }

  private static @Nullable Path node() {
    return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
        .map(folder -> Path.of(folder, "node"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /** Returns a browser of a person with nothing in it, on a screen of this size. */
  BrowserContext person(int width, int height, ColorScheme scheme) {
    return browser.newContext(
        new Browser.NewContextOptions()
            .setViewportSize(width, height)
            .setColorScheme(scheme)
            .setLocale("en-GB")
            .setTimezoneId("Europe/Berlin"));
  }

  /** Returns a new tab, whose errors are noted. */
  Page tab(BrowserContext person) {
    Page page = person.newPage();
    page.setDefaultTimeout(PATIENCE_MILLIS);
    page.onPageError(error -> errors.add(error));
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error") && !isExpected(message)) {
            errors.add(message.text() + " " + message.location());
          }
        });
    return page;
  }

  /**
   * Lets the server refuse requests of this test in this way.
   *
   * @param path matches the end of what was asked for
   */
  void expect(int status, String path) {
    expected.add(Pattern.compile(status + " \\S*" + path + "(:\\d+)*"));
  }

  /** Before a login, a page asks who is there. */
  private boolean isExpected(ConsoleMessage message) {
    Matcher refused = REFUSED.matcher(message.text());
    if (!refused.find()) {
      return false;
    }
    String found = refused.group(1) + " " + message.location();
    return Stream.concat(Stream.of(NO_SESSION), expected.stream())
        .anyMatch(pattern -> pattern.matcher(found).matches());
  }

  /**
   * Returns the errors of all pages since the last call: scripts that failed, and what the policy
   * refused.
   */
  List<String> errors() {
    var found = List.copyOf(errors);
    errors.clear();
    expected.clear();
    return found;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
