package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.JobRequest;
import dev.hapax.export.RecordFolder;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes that delete the same runs at the same moment. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class ExportAtTwoNodesTest {
  private static final int RUNS = 30;

  @TempDir private Path folder;

  @Test
  void every_run_is_exported_before_it_is_gone_and_goes_once() throws Exception {
    DataSource database = TestDatabase.empty(ExportAtTwoNodesTest.class);
    Flow<String, String> flow =
        Flow.of("order", String.class, String.class)
            .key(order -> order)
            .body((_, order) -> "x".repeat(1 << 18) + order);
    HapaxOptions options =
        HapaxOptions.DEFAULT.exportDeleted(RecordFolder.at(folder.resolve("one")));
    HapaxOptions other = HapaxOptions.DEFAULT.exportDeleted(RecordFolder.at(folder.resolve("two")));
    List<String> runs = new ArrayList<>();
    try (Hapax one = Hapax.open(database, options);
        Hapax two = Hapax.open(database, other)) {
      one.register(flow);
      two.register(flow);
      for (int i = 0; i < RUNS; i++) {
        var run = one.start(flow, "A-" + i);
        run.await();
        runs.add(run.id());
      }
      var request =
          JobRequest.delete(JobSelection.NONE.flow("order"), "no longer needed", "ann").rate(1_000);

      Job first = one.jobs().start(request);
      Job second = two.jobs().start(request);
      first = ended(one, first);
      second = ended(two, second);

      assertThat(first.failed() + second.failed()).isZero();
      assertThat(one.retention().deleted().runs()).isEqualTo(RUNS);
      assertThat(one.runs(one.runs().flow("order"))).isEmpty();
    }
    assertThat(exported()).containsAll(runs);
    assertThat(exported().stream().distinct()).hasSize(RUNS);
  }

  private static Job ended(Hapax at, Job job) {
    Job now = at.jobs().job(job.id());
    while (now.state() != JobState.DONE) {
      LockSupport.parkNanos(5_000_000);
      now = at.jobs().job(job.id());
    }
    return now;
  }

  private List<String> exported() throws IOException {
    List<String> ids = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(file.toString()).endsWith(".ndjson");
        for (String line : Files.readAllLines(file)) {
          Exported exported = Json.read(line, Exported.class);
          if (exported.record().equals("run")) {
            ids.add(String.valueOf(exported.content().get("id")));
          }
        }
      }
    }
    return ids;
  }

  private record Exported(String record, Map<String, Object> content) {}
}
