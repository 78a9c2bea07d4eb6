package dev.hapax.app.ui;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * Pictures of pages in {@code docs/ui}, light, dark and on a phone; only with golden=write. {@code
 * -Dhapax.pictures=run.*} takes only those whose name is like that.
 */
final class Screenshots {
  private static final Path FOLDER =
      Path.of(System.getProperty("basedir", "app")).toAbsolutePath().resolveSibling("docs/ui");

  private static final List<Screen> SCREENS =
      List.of(
          new Screen("light", 1280, 800, 1100, ColorScheme.LIGHT),
          new Screen("dark", 1280, 800, 1100, ColorScheme.DARK),
          new Screen("phone", 390, 844, 1400, ColorScheme.LIGHT));

  private final Page page;
  private final URI server;

  /**
   * @param page of a person who is logged in to the server; one for all, since a token has few
   *     streams
   */
  Screenshots(Page page, URI server) {
    this.page = page;
    this.server = server;
  }

  /**
   * A screen that a picture is taken on.
   *
   * @param most how high it becomes for a page that is longer
   */
  private record Screen(String name, int width, int height, int most, ColorScheme scheme) {}

  static boolean areWanted() {
    return "write".equals(System.getProperty("hapax.golden"));
  }

  /**
   * Takes the pictures of a page.
   *
   * @param ready what is seen when the page has everything
   */
  static void take(UiSite site, String name, String path, String ready) {
    if (areWanted()) {
      try (var person = site.loggedIn(site.server.token(), 1280, 800, ColorScheme.LIGHT)) {
        new Screenshots(site.chromium.tab(person), site.server.address()).take(name, path, ready);
      }
    }
  }

  void take(String name, String path, String ready) {
    if (!name.matches(System.getProperty("hapax.pictures", ".*"))) {
      return;
    }
    page.navigate(server.resolve(path).toString());
    page.waitForSelector(".live.tone-good");
    shoot(name, ready);
  }

  /** Takes the pictures of the page that is open. */
  void shoot(String name, String ready) {
    if (!name.matches(System.getProperty("hapax.pictures", ".*"))) {
      return;
    }
    for (Screen screen : SCREENS) {
      page.setViewportSize(screen.width(), screen.height());
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(screen.scheme()));
      page.waitForSelector(ready);
      page.waitForFunction("document.querySelector('main .loading') === null");
      int whole = (Integer) page.evaluate("document.documentElement.scrollHeight");
      page.setViewportSize(screen.width(), Math.clamp(whole, screen.height(), screen.most()));
      page.screenshot(
          new ScreenshotOptions().setPath(FOLDER.resolve(name + "-" + screen.name() + ".png")));
    }
    Screen first = SCREENS.getFirst(); // as a test that goes on has begun
    page.setViewportSize(first.width(), first.height());
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(first.scheme()));
  }
}
