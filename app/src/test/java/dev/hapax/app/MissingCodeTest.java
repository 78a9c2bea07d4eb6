package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run of a flow in Java, left in the store of a server that does not have its code. */
@Timeout(60)
class MissingCodeTest {
  @TempDir private Path folder;

  @Test
  void a_run_whose_release_is_not_registered_says_so_over_http_and_to_the_person_on_call()
      throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    String id = leaveSleeping(data.resolve("hapax.db"));

    try (TestServer server = new TestServer(data)) {
      String run = "/api/runs/" + id;
      while (server.get(run).body().path("blocked").isMissingNode()) {
        LockSupport.parkNanos(10_000_000);
      }
      assertThat(server.get(run).at("/blocked/code")).isEqualTo("code-missing");
      assertThat(server.get("/api/runs?flow=sleeper").at("/items/0/blocked/code"))
          .isEqualTo("code-missing");
      var desk = new ServedDesk(folder, server);
      assertThat(desk.hapax("runs", "show", id).at("/data/blocked/message"))
          .isEqualTo(
              "the code of flow 'sleeper' release 3 is not registered; the run continues when it is");
      var explained = desk.hapax("explain", id);
      assertThat(explained.data().path("summary").toString())
          .contains("It cannot continue: the code");
      assertThat(explained.at("/data/next/0/action")).isEqualTo("register");
      new ExplainGolden().explained(new TypedDesk(folder, server, false), "code-missing", id);
    }
  }

  private static String leaveSleeping(Path file) {
    Flow<String, String> sleeper =
        Flow.of("sleeper", String.class, String.class)
            .release(3)
            .body(
                (run, order) -> {
                  run.sleep("pause", Duration.ofSeconds(2));
                  return order;
                });
    try (Hapax hapax = Hapax.open(file)) {
      hapax.register(sleeper);
      String id = hapax.start(sleeper, "A-1", "A-1").id();
      while (hapax.run(id).owner() != null) {
        LockSupport.parkNanos(1_000_000);
      }
      return id;
    }
  }
}
