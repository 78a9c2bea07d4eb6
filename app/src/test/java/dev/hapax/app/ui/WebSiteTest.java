package dev.hapax.app.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Browsers get pages where programs get problems. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class WebSiteTest {
  private static final String HTML = "text/html,application/xhtml+xml,*/*;q=0.8";

  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    assumeTrue(
        WebSite.class.getResource("/dev/hapax/ui/index.html") != null,
        "the program was built with -Dui.skip=true");
    server = new TestServer(folder);
  }

  @AfterAll
  static void close() {
    if (server != null) {
      server.close();
    }
  }

  private static Reply get(String path, String accept) {
    return server.send(
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .setHeader("Accept", accept)
            .GET());
  }

  @Test
  void every_path_of_a_page_gets_the_page_with_a_strict_policy() {
    for (String path : List.of("/", "/runs", "/runs/r-1%2F2", "/nothing/there")) {
      Reply page = get(path, HTML);
      assertThat(page.status()).as(path).isEqualTo(200);
      assertThat(page.header("Content-Type")).startsWith("text/html");
      assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
      assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(page.header("Content-Security-Policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(page.raw().body())
          .doesNotContainPattern("<script(?![^>]* src=)")
          .doesNotContainPattern("<style|style=|onclick=");
    }
  }

  @Test
  void at_the_root_a_caller_that_takes_anything_gets_the_page() {
    for (String accept : List.of("*/*", "text/plain, */*;q=0.1", "")) {
      Reply page = get("/", accept);
      assertThat(page.status()).as(accept).isEqualTo(200);
      assertThat(page.header("Content-Type")).startsWith("text/html");
      assertThat(page.header("Vary")).contains("Accept");
    }
    var bare = HttpRequest.newBuilder(URI.create(server.address() + "/")).GET();
    assertThat(server.send(bare).status()).isEqualTo(200);
    assertThat(server.send(bare.HEAD()).status()).isEqualTo(200);
  }

  @Test
  void programs_and_unknown_paths_of_the_api_get_problems() {
    for (String path : List.of("/runs", "/assets/none.js")) {
      assertThat(get(path, "*/*").status()).as(path).isEqualTo(404);
    }
    assertThat(get("/", "application/json").status()).isEqualTo(404);
    for (String path : List.of("/api", "/api/none", "/hooks/none/x", "/assets/../index.html")) {
      Reply refused = get(path, HTML);
      assertThat(refused.status()).as(path).isIn(400, 404, 405);
      assertThat(refused.header("Content-Type")).as(path).contains("json");
    }
  }

  @Test
  void files_have_names_of_their_content_and_are_kept() {
    Matcher names =
        Pattern.compile("/assets/(app-\\w+\\.(js|css))").matcher(get("/", HTML).raw().body());
    int files = 0;
    while (names.find()) {
      files++;
      Reply file = get(names.group(), "*/*");
      assertThat(file.status()).isEqualTo(200);
      assertThat(file.header("Cache-Control")).contains("immutable");
      assertThat(file.header("Content-Type"))
          .contains(names.group(2).equals("js") ? "text/javascript" : "text/css");
    }
    assertThat(files).isEqualTo(2);
    for (String name : List.of("index.html", "files.txt", "..%2Findex.html", "", "app.js")) {
      assertThat(get("/assets/" + name, "*/*").status()).as(name).isEqualTo(404);
    }
  }
}
