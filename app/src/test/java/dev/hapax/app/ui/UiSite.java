package dev.hapax.app.ui;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.hapax.app.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A server with something to see on every page, and a browser that is logged in to it. */
final class UiSite implements AutoCloseable {
  final TestServer server;
  final Chromium chromium;
  private final List<BrowserContext> people = new ArrayList<>();

  UiSite(TestServer server, Chromium chromium) {
    this.server = server;
    this.chromium = chromium;
  }

  static UiSite open(Path folder) throws IOException {
    Chromium chromium = Chromium.open(); // first: it may be missing
    var server = new TestServer(folder);
    UiSeed.into(server);
    return new UiSite(server, chromium);
  }

  URI at(String path) {
    return URI.create(server.address() + path);
  }

  /** Returns a browser of a person who has logged in with this token. */
  BrowserContext loggedIn(String token, int width, int height, ColorScheme scheme) {
    BrowserContext person = chromium.person(width, height, scheme);
    people.add(person);
    String kept =
        Objects.requireNonNull(
            server
                .send(
                    HttpRequest.newBuilder(at("/api/session"))
                        .setHeader("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.noBody()))
                .header("Set-Cookie"));
    String pair = kept.substring(0, kept.indexOf(';'));
    int end = pair.indexOf('=');
    person.addCookies(
        List.of(
            new Cookie(pair.substring(0, end), pair.substring(end + 1))
                .setUrl(server.address().toString())
                .setHttpOnly(true)
                .setSameSite(SameSiteAttribute.STRICT)));
    return person;
  }

  /** Returns a tab of an admin on a desk's screen. */
  Page visit(String path) {
    Page page = chromium.tab(loggedIn(server.token(), 1280, 800, ColorScheme.LIGHT));
    page.navigate(at(path).toString());
    return page;
  }

  /** Closes the browsers of all people, and their streams with them: a token has few. */
  void leave() {
    people.forEach(BrowserContext::close);
    people.clear();
  }

  @Override
  public void close() {
    chromium.close();
    server.close();
  }
}
