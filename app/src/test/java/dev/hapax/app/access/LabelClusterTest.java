package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.testkit.fault.PostgresServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits by label hold on all nodes of a database. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LabelClusterTest {
  private static final Duration SOON = Duration.ofSeconds(20); // ten times the promise

  private static String desk(String labels) {
    return "flow: desk\nlabels: [%s]\nsteps:\n  - {id: note, set: {text: hello}}\n"
        .formatted(labels);
  }

  private static void promote(TestServer node, String labels, int release) {
    node.send(
        node.request("/api/flows/desk/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(desk(labels))));
    node.post("/api/flows/desk/releases", "{}");
    Reply live = node.put("/api/flows/desk/live", "{\"release\":%d}".formatted(release));
    assertThat(live.status()).as(live.raw().body()).isEqualTo(200);
  }

  private static int asked(TestServer node, String token) {
    return node.send(
            node.request("/api/flows/desk").setHeader("Authorization", "Bearer " + token).GET())
        .status();
  }

  private static void await(TestServer node, String token, int status) {
    long begun = System.nanoTime();
    while (asked(node, token) != status) {
      assertThat(System.nanoTime() - begun).isLessThan(SOON.toNanos());
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void a_promotion_on_one_node_gives_and_takes_the_flow_on_the_other(@TempDir Path folder)
      throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    String store = "store.url=" + PostgresServer.shared().newDatabase();
    Path one = folder.resolve("one");
    Path two = Files.createDirectory(folder.resolve("two"));
    try (var first = new TestServer(one, store)) {
      for (String file : List.of("master.key", "admin.token")) {
        Files.copy(one.resolve(file), two.resolve(file));
      }
      try (var second = new TestServer(two, store)) {
        String wish = "{\"name\":\"s\",\"scopes\":[\"flows:read\"],\"labels\":[\"sales\"]}";
        String sales = first.post("/api/tokens", wish).at("/token");
        promote(first, "sales", 1);
        assertThat(asked(first, sales)).isEqualTo(200);
        await(second, sales, 200);

        promote(first, "finance", 2);
        assertThat(asked(first, sales)).isEqualTo(404);
        await(second, sales, 404);

        promote(second, "support, sales", 3);
        assertThat(asked(second, sales)).isEqualTo(200);
        await(first, sales, 200);
      }
    }
  }
}
