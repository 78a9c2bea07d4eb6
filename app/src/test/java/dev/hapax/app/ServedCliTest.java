package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServedDesk.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line against a real server, from the first flow to a doubt that a person settles. */
@Timeout(60)
@Order(1)
class ServedCliTest {
  @TempDir private Path folder;
  private TestServer server;
  private ServedDesk desk;

  @BeforeEach
  void serve() throws IOException {
    server = new TestServer(folder.resolve("data"));
    desk = new ServedDesk(folder, server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Said hapax(String... args) {
    return desk.hapax(args);
  }

  @Test
  void the_first_flow_is_written_checked_released_and_run_once() {
    assertThat(hapax("init").exit()).isZero();
    assertThat(hapax("check", "flows/first-order.yaml", "--strict").exit()).isZero();
    assertThat(hapax("push", "flows/first-order.yaml").exit()).isZero();
    assertThat(hapax("release", "first-order").at("/data/release")).isEqualTo("1");
    assertThat(hapax("promote", "first-order", "1").exit()).isZero();

    String input = "{\"orderId\": \"A-1\", \"total\": 40}";
    Said first = hapax("run", "first-order", "--input", input, "--wait");
    Said second = hapax("run", "first-order", "--input", input, "--wait");

    assertThat(first.exit()).as("%s", first).isZero();
    assertThat(first.at("/data/output/counted")).isEqualTo("true");
    assertThat(second.at("/meta/replayed")).isEqualTo("true");
    assertThat(second.at("/data/id")).isEqualTo(first.at("/data/id"));
    assertThat(hapax("id", "first-order", "A-1").at("/data/id")).isEqualTo(first.at("/data/id"));
    assertThat(hapax("kv", "get", "orders/A-1").at("/data/value/total")).isEqualTo("40");
    assertThat(hapax("runs", "--flow", "first-order").data().path("items").size()).isEqualTo(1);
    Said status = hapax("status");
    assertThat(status.exit()).isZero();
    assertThat(status.at("/data/runs/succeeded")).isEqualTo("1");
    assertThat(hapax("runs", "history", first.at("/data/id")).data().path("items")).isNotEmpty();
    Said conflict = hapax("run", "first-order", "--input", "{\"orderId\": \"A-1\", \"total\": 41}");
    assertThat(conflict.exit()).isEqualTo(3);
    assertThat(conflict.at("/error/code")).isEqualTo("key-reused");
    assertThat(conflict.at("/error/details/run/id")).isEqualTo(first.at("/data/id"));
  }

  @Test
  void an_exported_ledger_is_imported_again_without_a_change() throws IOException {
    var lines = new StringBuilder();
    for (int i = 0; i < 12_000; i++) { // more than one request takes
      lines.append(
          "{\"name\": \"order/charge\", \"key\": \"A-%d\", \"kind\": \"create\", \"output\": \"%s\"}\n"
              .formatted(i, "x".repeat(40)));
    }
    Files.writeString(folder.resolve("rows.ndjson"), lines + "no row\n");

    Said imported = hapax("ledger", "import", "rows.ndjson");
    Said exported = hapax("ledger", "export", "-o", "out.csv", "--name", "order/charge");
    Said again = hapax("ledger", "import", "out.csv");

    assertThat(imported.exit()).isEqualTo(3);
    assertThat(imported.at("/data/added")).isEqualTo("12000");
    assertThat(imported.at("/data/problems/0/line")).isEqualTo("12001");
    assertThat(exported.at("/data/rows")).isEqualTo("12000");
    assertThat(again.exit()).as("%s", again).isZero();
    assertThat(again.at("/data/same")).isEqualTo("12000");
    assertThat(hapax("ledger", "export", "-o", "out.csv").exit()).isEqualTo(3);
  }

  @Test
  void a_failed_run_is_explained_and_its_retry_goes_on() {
    server.moods.put("A-1", "refused");

    Said failed = hapax("run", "order", "--input", "{\"id\": \"A-1\"}", "--wait");
    String run = failed.at("/data/id");
    Said explained = hapax("explain", run);
    server.moods.clear();
    Said retried = hapax("runs", "retry", run, "--wait");

    assertThat(failed.exit()).as("%s", failed).isEqualTo(1);
    assertThat(failed.at("/error/code")).isEqualTo("card-refused");
    assertThat(explained.exit()).isZero();
    assertThat(explained.at("/data/next/0/action")).isEqualTo("retry");
    assertThat(explained.at("/data/effects/0/state")).isEqualTo("failed");
    assertThat(retried.exit()).as("%s", retried).isZero();
    assertThat(hapax("runs", "retry", run).at("/error/code")).isEqualTo("not-possible");
  }

  @Test
  void a_doubt_waits_for_a_person_who_settles_it() {
    server.moods.put("A-2", "lost");

    Said parked = hapax("run", "order", "--input", "{\"id\": \"A-2\"}", "--wait");
    String run = parked.at("/data/id");
    String effect = hapax("review").at("/data/items/0/id");
    Said explained = hapax("explain", run);
    Said settled =
        hapax(
            "review",
            "settle",
            effect,
            "happened",
            "--result",
            "{\"charged\": \"A-2\"}",
            "--reason",
            "seen");
    Said ended = hapax("runs", "show", run, "--wait");

    assertThat(parked.exit()).as("%s", parked).isEqualTo(6);
    assertThat(explained.at("/data/next/0/command")).isEqualTo("hapax review show " + effect);
    assertThat(settled.exit()).as("%s", settled).isZero();
    assertThat(ended.exit()).as("%s", ended).isZero();
    assertThat(ended.at("/data/output/charged")).isEqualTo("A-2");
    assertThat(hapax("review").data().path("items")).isEmpty();
  }

  @Test
  void an_approval_waits_for_a_person_and_the_first_decision_counts() {
    Said asked = hapax("run", "ask", "--input", "{\"id\": \"A-3\"}", "--wait");
    String approval = hapax("approvals").at("/data/items/0/id");
    Said approved = hapax("approvals", "approve", approval, "--comment", "fine");
    Said late = hapax("approvals", "reject", approval);
    Said ended = hapax("runs", "show", asked.at("/data/id"), "--wait");

    assertThat(asked.exit()).as("%s", asked).isEqualTo(6);
    assertThat(approved.exit()).as("%s", approved).isZero();
    assertThat(late.at("/data/decision/decision")).isEqualTo("approve");
    assertThat(ended.exit()).as("%s", ended).isZero();
    assertThat(ended.at("/data/output/decision")).isEqualTo("approve");
  }

  @Test
  void a_run_that_still_waits_when_the_time_is_over_is_no_failure_and_can_be_canceled() {
    Said waiting = hapax("run", "one-at-a-time", "--input", "{\"id\": \"1\"}", "--wait=0");
    Said refused = hapax("run", "one-at-a-time", "--input", "{\"id\": \"2\"}");
    String run = waiting.at("/data/id");
    Said canceled = hapax("runs", "cancel", run, "--reason", "enough");
    Said ended = hapax("runs", "show", run, "--wait");

    assertThat(waiting.exit()).as("%s", waiting).isZero();
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.at("/error/code")).isEqualTo("concurrency-limit");
    assertThat(canceled.exit()).as("%s", canceled).isZero();
    assertThat(ended.exit()).isEqualTo(1);
    assertThat(hapax("runs", "forget", "one-at-a-time", "1", "--reason", "again").exit()).isZero();
  }

  @Test
  void what_is_not_there_is_not_found() throws IOException {
    assertThat(hapax("run", "nothing").exit()).isEqualTo(4);
    assertThat(hapax("runs", "show", "r-nothing").exit()).isEqualTo(4);
    assertThat(hapax("effects", "show", "e-nothing").exit()).isEqualTo(4);
    assertThat(hapax("approvals", "show", "nothing").exit()).isEqualTo(4);
    assertThat(hapax("kv", "get", "nothing").exit()).isEqualTo(4);
    assertThat(hapax("release", "nothing").exit()).isEqualTo(4);
    Files.writeString(folder.resolve("data/admin.token"), "wrong");
    assertThat(hapax("runs").at("/error/code")).isEqualTo("unauthorized");
  }

  @Test
  void the_doctor_finds_all_well() {
    Said said = hapax("doctor");

    assertThat(said.exit()).as("%s", said).isZero();
  }

  @Test
  void a_resource_comes_back_as_it_was() throws IOException {
    Files.writeString(folder.resolve("large.txt"), "large");

    String ref = hapax("resources", "put", "large.txt").at("/data/ref");
    hapax("resources", "get", ref, "--output", "back.txt");

    assertThat(folder.resolve("back.txt")).hasContent("large");
  }

  @Test
  void a_backup_of_the_running_server_is_a_store() {
    Said made = hapax("backup", "before.db");

    assertThat(made.exit()).as("%s", made).isZero();
    assertThat(folder.resolve("data/backups/before.db")).isNotEmptyFile();
    assertThat(hapax("backup", "before.db").at("/error/code")).isEqualTo("not-possible");
    assertThat(hapax("backup", "after.db", "--offline").at("/error/code"))
        .isEqualTo("store-refused");
    server.close();
    assertThat(hapax("backup", "after.db", "--offline").exit()).isZero();
    assertThat(folder.resolve("data/backups/after.db")).isNotEmptyFile();
  }

  /** The drill of docs/operate/restore.md. */
  @Test
  void a_restored_server_shows_everything_and_sends_nothing_until_a_person_says_what_it_is()
      throws IOException {
    Said asked = hapax("run", "ask", "--input", "{\"id\": \"A-1\"}", "--wait");
    assertThat(asked.exit()).as("%s", asked).isEqualTo(6);
    assertThat(hapax("backup", "monday.db").exit()).isZero();
    hapax("run", "order", "--input", "{\"id\": \"A-2\"}", "--wait");
    server.close();
    Files.copy(
        folder.resolve("data/backups/monday.db"),
        folder.resolve("data/hapax.db"),
        StandardCopyOption.REPLACE_EXISTING);
    server = new TestServer(folder.resolve("data"));
    desk = new ServedDesk(folder, server);

    Said refused = hapax("run", "order", "--input", "{\"id\": \"A-3\"}");
    assertThat(refused.exit()).as("%s", refused).isEqualTo(5);
    assertThat(refused.at("/error/code")).isEqualTo("restored");
    assertThat(hapax("runs").data().path("items").size()).isEqualTo(1);
    String approval = hapax("approvals").at("/data/items/0/id");
    assertThat(hapax("approvals", "approve", approval).at("/error/code")).isEqualTo("restored");
    assertThat(hapax("audit", "verify").data().path("gaps").size()).isEqualTo(1);

    Said said = hapax("restore", "--as", "production");

    assertThat(said.exit()).as("%s", said).isZero();
    assertThat(hapax("restore", "--as", "production").at("/error/code")).isEqualTo("not-possible");
    assertThat(hapax("audit", "verify").data().path("gaps").size()).isEqualTo(1);
    assertThat(hapax("audit", "list", "--limit", "200").data().path("items").toString())
        .doesNotContain("without a server");
    assertThat(hapax("approvals", "approve", approval).exit()).isZero();
    assertThat(hapax("runs", "show", asked.at("/data/id"), "--wait").exit()).isZero();
  }

  @Test
  void a_folder_that_was_put_back_as_a_whole_is_declared_before_its_server_starts() {
    server.close();

    Said said = hapax("restore", "--as", "copy", "--data", folder.resolve("data").toString());

    assertThat(said.exit()).as("%s", said).isZero();
    assertThat(said.at("/data/as")).isEqualTo("copy");
  }

  @Test
  void a_handler_sends_nothing_in_a_copy_until_the_copy_is_named() throws IOException {
    Path data = folder.resolve("data");
    server.release(
        """
        flow: pay
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: upsert}
        """);
    server.close();
    String id = hapax("restore", "--as", "copy", "--data", data.toString()).at("/data/store");
    server = new TestServer(data);
    desk = new ServedDesk(folder, server);

    String blocked = hapax("run", "pay", "--input", "{\"id\": \"A-1\"}").at("/data/id");
    while (!hapax("runs", "history", blocked).document().toString().contains("is a copy of")) {
      LockSupport.parkNanos(2_000_000); // asks the server again
    }
    assertThat(server.get("/api/restore").at("/store")).isEqualTo(id);
    server.close();
    server = new TestServer(data, "store.copySends=" + id);
    desk = new ServedDesk(folder, server);

    Said sent = hapax("run", "pay", "--input", "{\"id\": \"A-2\"}", "--wait");

    assertThat(sent.exit()).as("%s", sent).isZero();
  }

  @Test
  void a_restore_that_was_declared_without_a_server_has_its_line_in_the_audit_log()
      throws IOException {
    for (String as : List.of("production", "copy")) {
      server.close();
      hapax("restore", "--as", as, "--data", folder.resolve("data").toString());
      server = new TestServer(folder.resolve("data"));
      desk = new ServedDesk(folder, server);
    }
    server.close();
    server = new TestServer(folder.resolve("data")); // says nothing anew
    desk = new ServedDesk(folder, server);

    List<String> targets = new ArrayList<>();
    for (var line : hapax("audit", "list", "--limit", "200").data().path("items")) {
      if (line.path("action").asString().equals("restore")) {
        targets.add(line.path("target").asString());
      }
    }

    assertThat(targets).hasSize(2);
    assertThat(targets.getFirst()).startsWith("as production, declared at ");
    assertThat(targets.getLast()).startsWith("as copy, declared at ");
    assertThat(hapax("audit", "verify").at("/data/intact")).isEqualTo("true");
  }
}
