package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whether anything is wrong, in numbers that lead to lists. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OverviewTest {
  private static final String[] WAIT = {"Prefer", "wait=20"};

  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void open() throws IOException {
    server = new TestServer(folder);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void order(String id, String mood) {
    server.mood(id, mood);
    server.post("/api/flows/order/runs", "{\"id\": \"" + id + "\", \"total\": 40}", WAIT);
  }

  private String token(String body) {
    return server.post("/api/tokens", body).at("/token");
  }

  private Reply as(String token, String path) {
    return server.send(server.request(path).setHeader("Authorization", "Bearer " + token).GET());
  }

  @Test
  void runs_are_counted_by_outcome_and_duplicates_by_door() {
    order("A-1", "well");
    order("A-1", "well");
    order("A-2", "refused");
    order("A-3", "lost");

    Reply found = server.get("/api/overview");

    assertThat(found.at("/runs/succeeded")).isEqualTo("1");
    assertThat(found.at("/runs/failed")).isEqualTo("1");
    assertThat(found.at("/reviews/count")).isEqualTo("1");
    assertThat(found.at("/reviews/oldest")).isNotEmpty();
    assertThat(found.at("/failures/0/code")).isEqualTo("card-refused");
    assertThat(found.at("/complete")).isEqualTo("true");
    while (server.get("/api/overview").at("/stopped/start").equals("0")) {
      LockSupport.parkNanos(2_000_000); // duplicates are counted a moment after they were answered
    }
    assertThat(server.get("/api/overview").at("/stopped/start")).isEqualTo("1");
  }

  @Test
  void a_token_for_other_flows_counts_nothing() {
    order("A-1", "well");
    order("A-3", "lost");
    String others =
        token("{\"name\": \"o\", \"scopes\": [\"runs:read\"], \"flows\": [\"invoice\"]}");

    Reply found = as(others, "/api/overview");

    assertThat(found.status()).isEqualTo(200);
    assertThat(found.at("/runs/succeeded")).isEqualTo("0");
    assertThat(found.at("/reviews/count")).isEqualTo("0");
    assertThat(found.body().path("destinations")).isEmpty();
  }

  @Test
  void a_span_that_ends_before_it_begins_or_is_too_long_is_refused() {
    assertThat(
            server.get("/api/overview?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z").status())
        .isEqualTo(400);
    assertThat(
            server.get("/api/overview?from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z").status())
        .isEqualTo(400);
  }

  @Test
  void nodes_are_for_the_operator() {
    Reply nodes = server.get("/api/nodes");
    server.post("/api/tenants", "{\"name\": \"acme\"}");
    String tenant = server.post("/api/tenants/acme/tokens", "{}").at("/token");

    assertThat(nodes.at("/shared")).isEqualTo("false");
    assertThat(nodes.at("/items/0/answers")).isEqualTo("true");
    assertThat(as(tenant, "/api/nodes").status()).isEqualTo(403);
  }
}
