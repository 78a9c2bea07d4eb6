package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Values of runs that try to leave their place in the path, and headers that could hide a request.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class PathAttackTest {
  private static final String FLOW =
      """
      flow: get
      steps:
        - id: get
          http: {connection: shop, path: "/customers/${input.v}/orders?of=${input.v}", headers: {X-Id: "${input.h}"}}
          retry: {attempts: 1}
      """;

  private static final List<String> PIECES =
      List.of("..", ".", "%2e%2e", "%2E%2E", "%252e%252e", "..;", "..%00", "a", "");

  private static final List<String> JOINTS =
      List.of("/", "\\", "%2f", "%2F", "%5c", "%252f", "//", "/;/", "?", "#", "&", "%3f", "@");

  @TempDir private static Path folder;
  private static ServerProcess server;
  private static RecordingServer shop;

  @BeforeAll
  static void start() throws Exception {
    server = new ServerProcess(folder, List.of("-Xmx256m"));
    shop = new RecordingServer();
    Map<String, Object> form =
        Map.of(
            "base",
            "http://127.0.0.1:%d/v1".formatted(shop.port()),
            "privateHosts",
            Set.of("127.0.0.1"));
    ServerProcess.must(
        server.ask(
            server.token(), "PUT", "/api/connections/shop", Json.write(Map.of("http", form))));
    server.release(server.token(), FLOW);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    shop.close();
  }

  private static String run(String value, String header) throws Exception {
    return ServerProcess.must(
            server.ask(
                server.token(),
                "POST",
                "/api/flows/get/runs",
                Json.write(Map.of("v", value, "h", header)),
                "Prefer",
                "wait=20"))
        .at("/status");
  }

  @Test
  void no_value_leaves_its_segment_or_its_query_value() throws Exception {
    var values = new ArrayList<>(List.of("\r\nX: 1", "a b", "ä/ö", "http://evil.example/"));
    for (String joint : JOINTS) {
      for (String piece : PIECES) {
        values.add(piece + joint + piece);
        values.add("a" + joint + piece + joint + "admin");
      }
    }
    int reached = 0;
    for (String value : values) {
      shop.heads.clear();
      String status = run(value, "x");
      if (status.equals("failed")) {
        assertThat(shop.heads).as(value).isEmpty();
        continue;
      }
      reached++;
      String target = shop.heads.getFirst().split(" ", 3)[1];
      var uri = URI.create("http://x" + target);
      String[] segments = uri.getRawPath().split("/", -1);
      assertThat(segments).as(target).hasSize(5);
      assertThat(URLDecoder.decode(segments[3].replace("+", "%2B"), StandardCharsets.UTF_8))
          .isEqualTo(value);
      assertThat(segments[4]).isEqualTo("orders");
      assertThat(uri.getRawFragment()).isNull();
      assertThat(uri.getRawQuery()).startsWith("of=").doesNotContain("&", "/", "?");
    }
    assertThat(reached).isGreaterThan(20);
    AttackTable.held(
        PathAttackTest.class, "Values that try to leave their place in a path", values.size());
  }

  @Test
  void no_header_of_the_wire_is_released_or_sent() throws Exception {
    List<String> names =
        List.of(
            "Host",
            "host",
            "HOST",
            "Content-Length",
            "content-length",
            "Transfer-Encoding",
            "Connection",
            "connection",
            "TE",
            "Trailer",
            "Upgrade",
            "Expect",
            "Keep-Alive",
            "Proxy-Connection",
            "HTTP2-Settings");
    for (String name : names) {
      String flow = FLOW.replace("flow: get", "flow: header").replace("X-Id:", name + ":");
      ServerProcess.must(server.ask(server.token(), "PUT", "/api/flows/header/draft", flow));
      ServerCalls.Reply refused =
          server.ask(server.token(), "POST", "/api/flows/header/releases", "{}");
      assertThat(refused.status()).as(name).isEqualTo(422);
      assertThat(refused.text()).contains("wire-header");
      Map<String, Object> form = Map.of("base", "http://127.0.0.1:1", "headers", Map.of(name, "1"));
      assertThat(
              server
                  .ask(
                      server.token(),
                      "PUT",
                      "/api/connections/header",
                      Json.write(Map.of("http", form)))
                  .status())
          .as(name)
          .isEqualTo(400);
    }
    AttackTable.held(
        PathAttackTest.class, "Headers of the wire in steps and connections", 2 * names.size());
  }
}
