package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.JobRequest;
import dev.hapax.KeyExpired;
import dev.hapax.RetentionOutlook;
import dev.hapax.RunHandle;
import dev.hapax.export.RecordFolder;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.json.Json;
import dev.hapax.store.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Records are written somewhere else before they are deleted, or they are not deleted. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ExportBeforeDeleteTest extends EngineTest {
  @TempDir private Path folder;
  private final AtomicInteger sent = new AtomicInteger();
  private final Flow<Order, Receipt> flow = charging();

  private Flow<Order, Receipt> charging() {
    return orders("charge-order")
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.effect(
                        "charge",
                        create(order).keyed(Duration.ofHours(24)),
                        _ -> "paid " + sent.incrementAndGet(),
                        String.class)));
  }

  @BeforeEach
  void export() {
    hapax.close();
    hapax = exporting(revived());
    register(flow);
  }

  private Hapax exporting(MortalStore on) {
    process = on;
    return Hapax.open(
        process,
        HapaxOptions.DEFAULT
            .ports(time.ports())
            .exportDeleted(RecordFolder.at(folder.resolve("deleted"))));
  }

  private RunHandle<Receipt> run(String id) {
    RunHandle<Receipt> run = hapax.start(flow, order(id));
    run.await();
    return run;
  }

  @Test
  void events_are_exported_before_they_are_forgotten() throws IOException {
    hapax.inbox().source("shop", Order.class, flow, order -> order);
    for (int i = 0; i < 40; i++) {
      hapax.inbox().receive(Event.from("shop").id("evt_" + i).payload(order("A-" + i)));
    }

    moveAndAwait(Duration.ofDays(31), () -> hapax.inbox().events(hapax.inbox().events()).isEmpty());

    assertThat(exported("event", "event").stream().distinct()).hasSize(40);
    assertThat(exported("event", "source")).containsOnly("shop");
  }

  /** A store that cannot answer is no reason to delete without an export. */
  @Test
  void a_read_that_fails_deletes_nothing_and_is_tried_again() throws IOException {
    RunHandle<Receipt> run = run("A-1");
    var failed = new AtomicInteger();
    process.beforeRead(
        what -> {
          if (what.equals("journal") && failed.getAndIncrement() < 2) {
            throw new StoreUnavailable("not now", null);
          }
        });

    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().runs() == 1);

    assertThat(failed.get()).isGreaterThan(2);
    assertThat(exported("run", "id")).containsExactly(run.id());
    assertThat(exported("run-end", "entries")).hasSize(1);
  }

  private List<JsonNode> lines() throws IOException {
    var lines = new ArrayList<JsonNode>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        Files.readAllLines(file).forEach(line -> lines.add(Json.tree(line)));
      }
    }
    return lines;
  }

  private List<String> exported(String record, String member) throws IOException {
    return lines().stream()
        .filter(line -> line.path("record").asString().equals(record))
        .map(line -> line.path("content").path(member).asString())
        .toList();
  }

  @Test
  void a_run_and_its_effect_are_in_the_files_before_they_are_gone() throws IOException {
    RunHandle<Receipt> run = run("A-1");
    int entries = hapax.history(run.id()).size();

    moveAndAwait(
        Duration.ofDays(31),
        () ->
            hapax.retention().deleted().runs() == 1 && hapax.retention().deleted().effects() == 1);

    assertThat(exported("run", "id")).containsExactly(run.id());
    assertThat(exported("history", "type")).hasSize(entries).startsWith("accepted");
    assertThat(exported("run-end", "entries")).containsExactly(String.valueOf(entries));
    assertThat(exported("effect", "key")).containsExactly("A-1");
    assertThat(lines().getFirst().at("/content/output/key").isMissingNode()).isFalse();
    RetentionOutlook.Exports exports =
        Objects.requireNonNull(hapax.retention().outlook(1).exports());
    assertThat(exports.runs()).isEqualTo(1);
    assertThat(exports.effects()).isEqualTo(1);
    assertThat(exports.problem()).isNull();
    assertThatThrownBy(() -> hapax.start(flow, order("A-1"))).isInstanceOf(KeyExpired.class);
  }

  @Test
  void a_process_that_dies_between_export_and_delete_exports_again() throws IOException {
    for (int i = 0; i < 40; i++) {
      run("A-" + i);
    }
    process.beforeCommit(
        batch -> {
          boolean expires =
              batch.groups().stream()
                  .flatMap(group -> group.changes().stream())
                  .anyMatch(change -> change instanceof Change.ExpireRuns);
          if (expires) {
            process.die();
          }
        });
    moveAndAwait(Duration.ofDays(31), process::isDead);
    hapax.close();
    List<String> before = exported("run", "id");

    hapax = exporting(revived());
    register(flow);
    moveAndAwait(Duration.ofDays(1), () -> hapax.retention().deleted().runs() == 40);

    assertThat(before).isNotEmpty();
    assertThat(exported("run", "id")).containsAll(before);
    assertThat(exported("run", "id").stream().distinct()).hasSize(40);
  }

  @Test
  void what_cannot_be_exported_stays_and_goes_when_there_is_room() throws IOException {
    RunHandle<Receipt> run = run("A-1");
    Path blocked = Files.writeString(folder.resolve("deleted"), "not a folder");

    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().exportProblem() != null);
    RetentionOutlook held = hapax.retention().outlook(1);
    Files.delete(blocked);

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(held.paused()).contains("cannot be exported to", "deleted");
    assertThat(Objects.requireNonNull(held.exports()).problem()).isNotBlank();
    moveUntil(Duration.ofMinutes(1), () -> hapax.retention().deleted().runs() == 1);
    assertThat(exported("run", "id")).containsExactly(run.id());
    assertThat(hapax.retention().exportProblem()).isNull();
  }

  @Test
  void a_file_that_is_closed_says_from_when_to_when() throws IOException {
    run("A-1");
    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().effects() == 1);

    hapax.close();

    try (Stream<Path> files = Files.list(folder.resolve("deleted/default"))) {
      assertThat(files.map(file -> file.getFileName().toString()).toList())
          .singleElement()
          .asString()
          .matches("deleted-\\d{8}T\\d{6}\\.\\d{3}Z-to-\\d{8}T\\d{6}\\.\\d{3}Z\\.ndjson");
    }
  }

  @Test
  void a_journal_of_many_entries_is_exported_whole() throws IOException {
    Flow<Order, Receipt> longFlow =
        orders("long")
            .body(
                (run, order) -> {
                  for (int i = 0; i < 20_000; i++) {
                    String big = i % 5_000 == 0 ? "x".repeat(1 << 20) : "small";
                    run.step("step-" + i, () -> big, String.class);
                  }
                  return new Receipt(order.id(), "");
                });
    register(longFlow);
    RunHandle<Receipt> run = hapax.start(longFlow, order("A-1"));
    run.await();
    int entries = hapax.history(run.id()).size();

    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().runs() == 1);

    assertThat(entries).isGreaterThan(20_000);
    assertThat(exported("history", "type")).hasSize(entries);
    assertThat(exported("run-end", "entries")).containsExactly(String.valueOf(entries));
  }

  // ---- deleted by a person

  private Job deleted(JobSelection runs) {
    Job job = hapax.jobs().start(JobRequest.delete(runs, "the customer left", "ann"));
    moveUntil(Duration.ofMillis(500), () -> hapax.jobs().job(job.id()).state() == JobState.DONE);
    return hapax.jobs().job(job.id());
  }

  @Test
  void runs_are_deleted_before_their_retention_and_nothing_is_sent_again() throws IOException {
    RunHandle<Receipt> first = run("A-1");
    run("A-2");

    Job job = deleted(JobSelection.NONE.flow("charge-order").key("A-1"));

    assertThat(job.done()).isEqualTo(1);
    assertThat(exported("run", "id")).containsExactly(first.id());
    assertThatThrownBy(() -> hapax.start(flow, order("A-1"))).isInstanceOf(KeyExpired.class);
    assertThat(hapax.effects(hapax.effects().key("A-1"))).hasSize(1);
    assertThat(hapax.runs(hapax.runs().flow("charge-order"))).hasSize(1);
    assertThat(sent).hasValue(2);
  }

  @Test
  void a_run_that_is_open_or_owns_an_open_effect_is_skipped_with_words() {
    var sleeper = register(sleeping(Duration.ofDays(9)));
    RunHandle<Receipt> open = hapax.start(sleeper, order("A-1"));
    awaitReleased(open);

    Job job = deleted(JobSelection.of(open.id()));

    List<JobItem> items = hapax.jobs().items(job.id(), JobItemState.SKIPPED, 0, 10);
    assertThat(items).hasSize(1);
    assertThat(items.getFirst().problem()).contains("has not ended", "Cancel it");
    assertThat(hapax.run(open.id()).status().isEnd()).isFalse();
  }

  @Test
  void a_deletion_needs_a_reason_and_a_filter_of_ended_runs() {
    assertThatThrownBy(
            () -> hapax.jobs().start(JobRequest.delete(JobSelection.everything(), " ", "ann")))
        .hasMessageContaining("reason: expected 1 to 10,000 characters");
    assertThatThrownBy(
            () ->
                hapax
                    .jobs()
                    .start(
                        JobRequest.delete(
                            JobSelection.NONE.status(RunStatus.WAITING), "why", "ann")))
        .hasMessageContaining("filter.status");
  }
}
