package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of the whole server are for its operator, if the operator says so. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class MetricsAccessTest {
  @Test
  void metrics_that_are_not_public_need_a_token_of_the_operator(@TempDir Path folder)
      throws Exception {
    try (var server = new TestServer(folder, "metrics.public=false")) {
      String scraper =
          server
              .post("/api/tokens", "{\"name\":\"scraper\",\"scopes\":[\"metrics:read\"]}")
              .at("/token");
      String other =
          server.post("/api/tokens", "{\"name\":\"x\",\"scopes\":[\"runs:read\"]}").at("/token");

      assertThat(status(server, "Bearer " + scraper)).isEqualTo(200);
      assertThat(server.get("/metrics").status()).isEqualTo(200);
      assertThat(status(server, "Bearer " + other)).isEqualTo(403);
      assertThat(status(server, "Bearer " + server.tokenOf("acme"))).isEqualTo(403);
      assertThat(status(server, "none")).isEqualTo(401);
    }
  }

  private static int status(TestServer server, String authorization) {
    return server
        .send(server.request("/metrics").GET().setHeader("Authorization", authorization))
        .status();
  }
}
