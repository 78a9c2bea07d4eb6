package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What people do to put things right, at bad moments: each gets the right thing, or what to do. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecoveryApiTest {
  private static final String[] WAIT = {"Prefer", "wait=20"};

  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(folder);
    server.release(
        """
        flow: fleeting
        key: ${input.id}
        retention: 1s
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: none}
            retry: {attempts: 1, within: 1s}
        """);
    server.release(
        """
        flow: basket
        key: ${input.id}
        steps:
          - id: lines
            forEach:
              items: ${input.lines}
              atOnce: 1
              steps:
                - id: reserve
                  call: {handler: charge, input: "${input.id}-${item}"}
                  effect: {kind: create, key: "${input.id}/${item}", guard: keyed}
            itemKey: ${item}
          - id: size
            choose:
              - when: ${size(input.lines) > 1}
                steps:
                  - id: parcel
                    call: {handler: charge, input: "parcel-${input.id}"}
                    effect: {kind: create, key: "${input.id}", guard: keyed}
              - otherwise:
                  - id: letter
                    call: {handler: charge, input: "letter-${input.id}"}
                    effect: {kind: create, key: "${input.id}", guard: keyed}
        """);
    server.release(
        """
        flow: trip
        key: ${input.id}
        onFailure: compensate
        steps:
          - id: book
            call: {handler: charge, input: "book-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
            compensate:
              call: {handler: charge, input: "undo-${input.id}"}
              effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: pay
            call: {handler: charge, input: "pay-${input.id}"}
            effect: {kind: create, key: "pay-${input.id}", guard: keyed}
        """);
    server.release(
        """
        flow: patient
        key: ${input.id}
        steps:
          - id: pause
            wait: {for: 1ms}
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: release
            approval: {ask: "Go on?", expires: 3d}
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Reply run(String flow, String input) {
    return server.post("/api/flows/" + flow + "/runs", input, WAIT);
  }

  private static Reply plan(Reply run, String more) {
    return server.post(
        "/api/replays", "{\"runs\": [\"%s\"], \"plan\": true%s}".formatted(run.at("/id"), more));
  }

  private static Reply apply(Reply plan) {
    return server.post("/api/replays", "{\"apply\": \"%s\"}".formatted(plan.at("/plan")));
  }

  private static String effect(Reply run) {
    return server.get("/api/effects?run=" + run.at("/id")).at("/items/0/id");
  }

  private static Reply await(Reply run, String status) {
    Reply now = server.get("/api/runs/" + run.at("/id"));
    while (!now.at("/status").equals(status)) {
      LockSupport.parkNanos(5_000_000); // the test has a time limit
      now = server.get("/api/runs/" + run.at("/id"));
    }
    return now;
  }

  private static void refused(Reply reply, int status, String problem, String... words) {
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
    assertThat(reply.at("/type")).endsWith("/" + problem);
    for (String word : words) {
      assertThat(reply.at("/detail")).contains(word);
    }
  }

  @Test
  void of_people_who_settle_at_once_one_decides_and_the_others_hear_that_it_has_changed()
      throws Exception {
    server.mood("S-1", "lost");
    Reply run = run("fleeting", "{\"id\": \"S-1\"}");
    assertThat(run.at("/status")).isEqualTo("review");
    server.mood("S-1", "fine");
    String path = "/api/effects/" + effect(run) + "/settle";

    List<Reply> replies;
    try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Reply>> asked =
          Stream.of("happened", "abandon", "happened", "abandon")
              .<Callable<Reply>>map(
                  decision ->
                      () ->
                          server.post(
                              path,
                              "{\"decision\": \"%s\", \"revision\": 1, \"attempt\": 1, \"reason\": \"seen\"}"
                                  .formatted(decision)))
              .toList();
      replies = people.invokeAll(asked).stream().map(Future::resultNow).toList();
    }

    assertThat(replies).extracting(Reply::status).containsOnlyOnce(200).containsOnly(200, 409);
    replies.stream()
        .filter(reply -> reply.status() == 409)
        .forEach(reply -> refused(reply, 409, "stale", "only one in review can be settled"));
    String state =
        replies.stream()
            .filter(reply -> reply.status() == 200)
            .findFirst()
            .orElseThrow()
            .at("/state");
    assertThat(state).isIn("done", "abandoned");
  }

  @Test
  void a_key_in_doubt_cannot_be_forgotten_and_the_words_say_to_settle_it_first() {
    server.mood("D-1", "lost");
    Reply run = run("fleeting", "{\"id\": \"D-1\"}");
    server.mood("D-1", "fine");

    Reply forgotten = server.delete("/api/flows/fleeting/keys/D-1?reason=test");

    refused(forgotten, 409, "not-possible", "is review", "Settle its effect in review");
    refused(plan(run, ""), 409, "not-possible", "settle its effect in review");
    assertThat(run("fleeting", "{\"id\": \"D-1\"}").at("/id")).isEqualTo(run.at("/id"));
  }

  @Test
  void what_has_expired_is_not_replayed_and_the_words_say_what_to_do() {
    Reply run = run("fleeting", "{\"id\": \"E-1\"}");
    assertThat(run.at("/status")).isEqualTo("succeeded");
    Reply plan = plan(run, "");
    server.move(Duration.ofMinutes(2)); // retention looks a minute after the flow is there
    while (server.get("/api/runs/" + run.at("/id")).status() == 200) {
      LockSupport.parkNanos(5_000_000); // the test has a time limit
    }

    String words = "can no longer be shown, retried or replayed";
    refused(plan(run, ""), 410, "key-expired", words, "start the flow under another key");
    refused(server.post("/api/runs/" + run.at("/id") + "/retry", "{}"), 410, "key-expired", words);
    refused(
        server.post("/api/flows/fleeting/runs", "{\"id\": \"E-1\"}"),
        410,
        "key-expired",
        "'afterRetention: new'");
    if (plan.status() == 200) {
      Reply applied = apply(plan);
      refused(applied, 409, "stale", "expired");
    }
  }

  @Test
  void a_rerun_from_inside_a_loop_does_one_item_and_needs_its_name() {
    Reply run = run("basket", "{\"id\": \"L-1\", \"lines\": [\"a\", \"b\"]}");
    assertThat(run.at("/status")).isEqualTo("succeeded");

    Reply without = plan(run, ", \"fromStep\": \"reserve\"");
    Reply other = plan(run, ", \"fromStep\": {\"step\": \"reserve\", \"item\": \"z\"}");
    Reply one = plan(run, ", \"fromStep\": {\"step\": \"reserve\", \"item\": \"b\"}");

    refused(without, 409, "not-possible", "name the item too. Its items: a, b");
    refused(other, 409, "not-possible", "no step 'reserve' of item 'z'");
    assertThat(one.at("/totals"))
        .isEqualTo("{\"keep\":1,\"reuse\":2,\"send\":0,\"doubt\":0,\"changed\":0}");
    assertThat(apply(one).status()).isEqualTo(202);
    await(run, "succeeded");
  }

  @Test
  void a_rerun_from_inside_a_branch_knows_the_steps_of_the_branch_that_ran() {
    server.mood("parcel-B-1", "refused");
    Reply run = run("basket", "{\"id\": \"B-1\", \"lines\": [\"a\", \"b\"]}");
    assertThat(run.at("/status")).isEqualTo("failed");
    server.mood("parcel-B-1", "fine");

    Reply plan = plan(run, ", \"fromStep\": \"parcel\"");

    refused(plan(run, ", \"fromStep\": \"letter\""), 409, "not-possible", "has no step 'letter'");
    assertThat(plan.at("/totals"))
        .isEqualTo("{\"keep\":2,\"reuse\":0,\"send\":1,\"doubt\":0,\"changed\":0}");
    apply(plan);
    await(run, "succeeded");
  }

  @Test
  void a_compensated_run_is_not_replayed_and_every_answer_says_to_use_another_key() {
    server.mood("pay-T-1", "refused");
    Reply run = await(run("trip", "{\"id\": \"T-1\"}"), "compensated");

    refused(plan(run, ""), 409, "not-possible", "whose effects are undone", "another key");
    refused(
        plan(run, ", \"fromStep\": \"pay\""),
        409,
        "not-possible",
        "Start its flow under another key");
    refused(
        server.post("/api/runs/" + run.at("/id") + "/retry", "{}"),
        409,
        "not-possible",
        "another key");
    assertThat(run.at("/error/advice")).contains("another key").doesNotContain("then retry");
  }

  @Test
  void a_replay_that_is_canceled_or_whose_run_is_erased_in_the_middle_does_not_go_on() {
    Reply run =
        server.post("/api/flows/patient/runs", "{\"id\": \"M-1\"}"); // it waits for approval
    approve(run);
    await(run, "succeeded");
    Reply plan = plan(run, ", \"ask\": [\"release\"]");
    Reply twin = plan(run, ", \"ask\": [\"release\"]");
    assertThat(apply(plan).status()).as(plan.body().toString()).isEqualTo(202);
    await(run, "waiting");

    refused(apply(twin), 409, "stale");
    refused(plan(run, ""), 409, "not-possible", "Cancel it first");
    Reply erasing = server.post("/api/subjects/erase", "{\"id\": \"M-1\", \"reason\": \"a test\"}");
    assertThat(erasing.status()).as(erasing.body().toString()).isEqualTo(202);
    assertThat(server.get("/api/runs/" + run.at("/id")).at("/erased")).isNotEqualTo("true");
    server.post("/api/runs/" + run.at("/id") + "/cancel", "{}");
    await(run, "canceled");
    Reply third = plan(run, "");
    if (third.status() == 200) { // it is erased a moment later, and then the plan is stale
      assertThat(third.at("/totals/send")).isEqualTo("0");
    } else {
      refused(third, 409, "not-possible", "erased");
    }
  }

  /** Approves as soon as the run asks; before that it waits for something else. */
  private static void approve(Reply run) {
    while (true) {
      for (JsonNode open : server.get("/api/approvals").body().path("items")) {
        if (open.path("run").asString().equals(run.at("/id"))) {
          server.post(
              "/api/approvals/" + open.path("id").asString(), "{\"decision\": \"approve\"}");
          return;
        }
      }
      LockSupport.parkNanos(5_000_000); // the test has a time limit
    }
  }

  @Test
  void the_corrections_of_a_replay_are_shown_as_json_and_not_as_text_of_it() {
    Reply run = run("trip", "{\"id\": \"J-1\"}");

    Reply plan =
        plan(run, ", \"fromStep\": \"pay\", \"outputs\": {\"book\": {\"charged\": \"other\"}}");

    assertThat(server.get("/api/jobs/" + plan.at("/plan")).at("/spec/wish/outputs/book/charged"))
        .isEqualTo("other");
  }
}
