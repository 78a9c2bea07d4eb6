package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code hapax explain} on a real server, for each state that a run can be in. What a person sees
 * is in a golden file, see {@link ExplainGolden}.
 */
@Timeout(120)
@Order(1)
class ExplainedStatesTest {
  @TempDir private Path folder;
  private TestServer server;
  private TypedDesk desk;
  private final ExplainGolden golden = new ExplainGolden();

  @BeforeEach
  void serve() throws IOException {
    server = new TestServer(folder.resolve("data"));
    desk = new TypedDesk(folder, server, false);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void flow(String text) {
    server.release(text);
  }

  private String start(String flow, String id) {
    Reply reply = server.post("/api/flows/" + flow + "/runs", Json.write(Map.of("id", id)));
    assertThat(reply.status()).as("%s", reply.body()).isLessThan(300);
    return reply.at("/id");
  }

  private String status(String run) {
    return server.get("/api/runs/" + run).at("/status");
  }

  private void awaitStatus(String run, String status) {
    await(() -> status(run).equals(status));
  }

  /** Asks the server again until it is so. */
  private static void await(BooleanSupplier happened) {
    while (!happened.getAsBoolean()) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** Until the run has left memory, too: before that its status is {@code running}. */
  private void awaitWait(String run, String cause) {
    await(
        () ->
            server
                .get("/api/runs/" + run + "/waits")
                .body()
                .toString()
                .contains("\"cause\":\"" + cause + "\""));
    await(() -> !server.get("/api/runs/" + run).at("/status").equals("running"));
  }

  private String explained(String state, String run) throws IOException {
    return golden.explained(desk, state, run);
  }

  private void exitsWith(int exit, String run) {
    TypedDesk.Seen seen = desk.hapax("runs", "show", run, "--wait=0");
    assertThat(seen.exit()).as(seen.text()).isEqualTo(exit);
  }

  @Test
  void a_queued_run_names_the_run_that_holds_its_slot() throws IOException {
    flow(
        """
        flow: single
        key: ${input.id}
        concurrency: {limit: 1, overflow: queue}
        steps:
          - {id: pause, wait: {for: 1h}}
        """);
    String holder = start("single", "A-1");
    awaitStatus(holder, "waiting");
    String before = start("single", "A-2");
    String queued = start("single", "A-3");
    awaitStatus(queued, "queued");

    String text = explained("queued-slot", queued);

    assertThat(text).contains(holder).doesNotContain(before);
    exitsWith(0, queued);
  }

  @Test
  void a_run_that_waits_for_a_lock_names_its_holder() throws IOException {
    flow(
        """
        flow: locked
        key: ${input.id}
        steps:
          - {id: print, lock: printer, wait: {for: 1h}}
        """);
    String holder = start("locked", "A-1");
    awaitWait(holder, "timer");
    String waiting = start("locked", "A-2");
    awaitWait(waiting, "lock");
    awaitStatus(waiting, "waiting");

    assertThat(explained("lock", waiting)).contains(holder);
  }

  @Test
  void a_run_that_waits_for_another_runs_effect_in_review_names_that_run() throws IOException {
    flow(
        """
        flow: twin
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {name: order/charge, kind: create, key: "${input.id}", guard: none}
            retry: {attempts: 1}
        """);
    server.mood("A-1", "lost");
    String owner = start("order", "A-1");
    awaitStatus(owner, "review");
    String waiting = start("twin", "A-1");
    awaitWait(waiting, "effect");
    awaitStatus(waiting, "waiting");

    assertThat(explained("effect", waiting)).contains(owner);
    exitsWith(6, waiting);
  }

  @Test
  void the_parent_of_a_child_in_review_names_it_and_waits_for_a_person() throws IOException {
    flow(parent("parent", "order"));
    server.mood("A-1", "lost");
    String parent = start("parent", "A-1");
    awaitStatus(parent, "waiting");
    await(
        () ->
            server.get("/api/runs/" + parent + "/waits").at("/items/0/asksPerson").equals("true"));

    explained("child-in-review", parent);

    exitsWith(6, parent);
  }

  @Test
  void the_grandparent_of_an_approval_names_the_run_that_asks() throws IOException {
    flow(parent("parent", "ask"));
    flow(parent("grandparent", "parent"));
    String run = start("grandparent", "A-1");
    await(() -> server.get("/api/runs/" + run + "/waits").at("/items/0/asksPerson").equals("true"));

    explained("grandchild-asks", run);

    exitsWith(6, run);
  }

  @Test
  void the_parent_of_a_child_that_just_waits_does_not_wait_for_a_person() throws IOException {
    flow(parent("parent", "call-me"));
    String parent = start("parent", "A-1");
    awaitWait(parent, "child");
    String child = server.get("/api/runs/" + parent + "/waits").at("/items/0/runs/0/id");
    awaitStatus(child, "waiting");

    explained("child", parent);

    exitsWith(0, parent);
  }

  private static String parent(String name, String child) {
    return """
        flow: %s
        key: ${input.id}
        steps:
          - {id: do, flow: {name: %s, input: {id: "${input.id}"}}}
        """
        .formatted(name, child);
  }

  @Test
  void callback_approval_and_timer_say_until_when() throws IOException {
    flow("flow: pause\nkey: ${input.id}\nsteps:\n  - {id: nap, wait: {for: 1h}}\n");
    String callback = start("call-me", "A-1");
    String approval = start("ask", "A-1");
    String timer = start("pause", "A-1");
    awaitWait(callback, "callback");
    awaitWait(approval, "approval");
    awaitWait(timer, "timer");

    explained("callback", callback);
    explained("approval", approval);
    explained("timer", timer);

    exitsWith(0, callback);
    exitsWith(6, approval);
    exitsWith(0, timer);
  }

  @Test
  void the_next_attempt_and_its_reason_are_told() throws IOException {
    flow(charge("patient", "keyed"));
    server.mood("A-1", "busy");
    server.mood("A-2", "lost");
    String notApplied = start("patient", "A-1");
    String doubt = start("patient", "A-2");
    awaitWait(notApplied, "retry");
    awaitWait(doubt, "retry");

    explained("retry", notApplied);
    explained("doubt", doubt);
  }

  private static String charge(String name, String guard) {
    return """
        flow: %s
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: %s}
            retry: {attempts: 5, delay: 1h, maxDelay: 1h, within: 20h}
        """
        .formatted(name, guard);
  }

  @Test
  void a_review_says_what_is_known_and_how_to_settle_it() throws IOException {
    server.mood("A-1", "lost");
    String run = start("order", "A-1");
    awaitStatus(run, "review");

    explained("review", run);

    exitsWith(6, run);
  }

  @Test
  void a_canceled_run_whose_effect_is_in_review_still_waits_for_a_person() throws IOException {
    server.mood("A-1", "lost");
    String run = start("order", "A-1");
    awaitStatus(run, "review");
    server.post("/api/runs/" + run + "/cancel", "{\"reason\": \"wrong order\"}");
    awaitWait(run, "review");

    explained("canceling", run);

    exitsWith(6, run);
  }

  @Test
  void an_undo_in_review_is_told_and_an_undone_effect_is_not_done() throws IOException {
    flow(
        """
        flow: saga
        key: ${input.id}
        onFailure: compensate
        steps:
          - id: book
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
            compensate:
              call: {handler: charge, input: "undo ${input.id}"}
              effect: {kind: create, key: "${input.id}", guard: none}
              retry: {attempts: 1}
          - {id: end, fail: {code: sold-out, message: "nothing is left", retryable: false}}
        """);
    String undone = start("saga", "A-1");
    awaitStatus(undone, "compensated");
    server.mood("undo A-2", "lost");
    String stuck = start("saga", "A-2");
    awaitWait(stuck, "review");

    explained("compensated", undone);
    explained("undo-in-review", stuck);
    assertThat(server.get("/api/runs/" + stuck).at("/failureClass")).isEqualTo("review");
    assertThat(server.get("/api/runs?status=review").at("/items"))
        .contains(stuck)
        .doesNotContain(undone);
    assertThat(desk.hapax("runs", "list", "--status", "review").text())
        .contains(stuck)
        .contains("compensating, in review");

    exitsWith(6, stuck);
  }

  @Test
  void a_run_that_must_wait_for_its_flows_rate_says_so() throws IOException {
    flow(
        """
        flow: slow
        key: ${input.id}
        rate: {limit: 1, per: 1h}
        steps:
          - {id: note, set: {text: hello}}
        """);
    start("slow", "A-1");
    String second = start("slow", "A-2");
    awaitWait(second, "turn");

    explained("rate", second);
  }

  @Test
  void a_refusal_is_not_a_lost_answer() throws IOException {
    server.mood("A-1", "refused");
    String run = start("order", "A-1");
    awaitStatus(run, "failed");

    assertThat(explained("refused", run)).doesNotContainIgnoringCase("doubt");
  }

  @Test
  void a_run_in_a_restored_store_says_what_a_person_must_declare() throws IOException {
    String run = start("ask", "A-1");
    awaitWait(run, "approval");
    assertThat(desk.hapax("backup", "monday.db").exit()).isZero();
    server.close();
    Files.copy(
        folder.resolve("data/backups/monday.db"),
        folder.resolve("data/hapax.db"),
        StandardCopyOption.REPLACE_EXISTING);
    serve();

    explained("restored", run);
  }

  @Test
  void the_last_duplicates_are_told_with_their_door_and_caller() throws IOException {
    flow(
        """
        flow: hooked
        key: ${input.id}
        triggers:
          - webhook: {path: orders, verify: {scheme: none}, event: "${event.body.event}", input: "${event.body}"}
        steps:
          - {id: note, set: {text: hello}}
        """);
    flow(
        """
        flow: parent
        key: ${input.id}
        steps:
          - {id: do, flow: {name: hooked, key: "${input.id}", input: "${input}"}}
        """);
    String body = "{\"id\": \"A-1\", \"event\": \"evt-1\"}";
    String first = server.post("/hooks/orders", body).at("/run");
    server.post("/hooks/orders", body);
    String run = "/api/runs/" + first;
    await(() -> server.get(run).at("/duplicates").equals("1"));
    server.post("/api/flows/hooked/runs", body);
    await(() -> server.get(run).at("/duplicates").equals("2"));
    server.post("/api/flows/parent/runs", body);
    await(() -> server.get(run).at("/duplicates").equals("3"));

    Reply told = server.get(run + "/duplicates");
    assertThat(told.at("/items/0/door")).isEqualTo("child");
    assertThat(told.at("/items/1/door")).isEqualTo("start");
    assertThat(told.at("/items/2/door")).isEqualTo("inbox");
    assertThat(told.at("/items/2/caller")).contains("evt-1");
    explained("duplicates", first);
    assertThat(desk.hapax("runs", "show", first).text()).contains("STOPPED", "evt-1");
    String other = server.tokenOf("another");
    assertThat(
            server
                .send(
                    server
                        .request(run + "/duplicates")
                        .setHeader("Authorization", "Bearer " + other)
                        .GET())
                .status())
        .isEqualTo(404);
  }

  @Test
  void a_closed_or_decided_approval_says_so_and_changes_nothing() {
    String decided = start("ask", "A-1");
    awaitWait(decided, "approval");
    String id = server.get("/api/runs/" + decided + "/waits").at("/items/0/approval");
    String closed = start("ask", "A-2");
    awaitWait(closed, "approval");
    String closedId = server.get("/api/runs/" + closed + "/waits").at("/items/0/approval");
    server.post("/api/runs/" + closed + "/cancel", "{}");
    awaitStatus(closed, "canceled");

    assertThat(desk.hapax("approvals", "approve", id).exit()).isZero();
    TypedDesk.Seen same = desk.hapax("approvals", "approve", id);
    TypedDesk.Seen other = desk.hapax("approvals", "reject", id);
    TypedDesk.Seen late = desk.hapax("approvals", "approve", closedId);

    assertThat(same.exit()).as(same.text()).isZero();
    assertThat(same.text()).contains("already decided: 'approve' by", "changed nothing");
    assertThat(other.exit()).as(other.text()).isEqualTo(3);
    assertThat(other.text()).contains("already decided: 'approve' by", " at 2", "changed nothing");
    assertThat(late.exit()).as(late.text()).isEqualTo(3);
    assertThat(late.text()).contains("is closed", closed, "changed nothing");
    await(() -> server.get("/api/runs/" + decided).at("/duplicates").equals("2"));
    Reply told = server.get("/api/runs/" + decided + "/duplicates");
    assertThat(told.at("/items/0/door")).isEqualTo("answer");
    assertThat(told.at("/items/1/caller")).contains("approval of step 'release', by ");
    assertThat(desk.hapax("explain", decided).text())
        .contains("2 duplicates were stopped and changed nothing.", "by a second answer: approval");
  }

  @Test
  void colours_are_ours_and_no_value_brings_another_escape() {
    flow(
        "flow: hostile\nkey: ${input.id}\nsteps:\n  - {id: end, fail: {code: bad, message: \"${input.id}\"}}\n");
    String forged = "a\u001b[31mb\u001b]0;title\u0007\u202ec\rd";
    String run = start("hostile", forged);
    awaitStatus(run, "failed");
    var colourful = new TypedDesk(folder, server, true);

    for (String[] command :
        new String[][] {
          {"explain", run},
          {"runs", "history", run},
          {"runs", "show", run, "--watch"},
          {"runs", "list"}
        }) {
      String seen = colourful.hapax(command).text();
      String withoutOurs = seen.replaceAll("\u001b\\[(0|1|2|31|32|33)m|\r\u001b\\[K", "");
      assertThat(seen).as(String.join(" ", command)).contains("\u001b[");
      assertThat(withoutOurs).doesNotContainPattern("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u202e]");
      assertThat(withoutOurs).doesNotContain("[0m", "[1m", "[2m");
      assertThat(seen).doesNotContain("a\u001b[31mb");
    }
  }
}
