package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunInReview;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection says about keys decides what a resend can settle. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdempotencyTest {
  private static final String CHARGE =
      """
      flow: charge
      key: ${input.id}
      steps:
        - id: charge
          http: {connection: psp, method: POST, path: /charges, body: {id: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: GUARD, externalId: "${output.body.id}"}
      output: ${steps.charge.externalId}
      """;

  private static final String WITH_LOOKUP =
      "{keyed: {lookup: {http: {connection: psp, path: \"/charges?id=${input.id}\"}, found: \"${size(response.body) > 0}\", output: \"${response.body[0]}\", settle: 1s}}}";

  private static final TestServer.Answer DONE = TestServer.Answer.json(201, "{\"id\":\"ch_1\"}");

  private final AtomicInteger posts = new AtomicInteger();

  private interface Body {
    void run(FlowTest test, LoadedFlow flow, TestServer server) throws Exception;
  }

  private void with(
      Idempotency idempotency, String guard, TestServer.Answering answering, Body body)
      throws Exception {
    try (var server = new TestServer(answering)) {
      Connection psp = server.connection("psp").idempotency(idempotency);
      try (FlowFiles files =
          FlowFiles.with(Ports.system()).connections(_ -> Optional.of(psp)).open()) {
        LoadedFlow flow = files.load("f.yaml", CHARGE.replace("GUARD", guard), 1);
        try (FlowTest test = FlowTest.of(flow.flow())) {
          body.run(test, flow, server);
        }
      }
    }
  }

  private TestServer.Answer stored(TestServer.Request request) {
    if (request.method().equals("GET")) {
      return TestServer.Answer.json(200, "[{\"id\":\"ch_7\"}]");
    }
    boolean isFirst = posts.incrementAndGet() == 1;
    return new TestServer.Answer(
        500, isFirst ? Map.of() : Map.of("Idempotent-Replayed", "true"), "oops");
  }

  private static EffectRecord effect(FlowTest test) {
    return test.hapax().effects(test.hapax().effects()).getFirst();
  }

  @Test
  void a_stored_500_that_comes_back_settles_nothing() throws Exception {
    with(
        Idempotency.of("stripe"),
        "keyed",
        this::stored,
        (test, flow, server) -> {
          assertThatThrownBy(() -> test.run(flow.flow(), Map.of("id", "A")))
              .isInstanceOf(RunInReview.class);
          assertThat(server.requests("POST")).hasSize(2);
          assertThat(effect(test).evidence()).contains("repeats its first answer");
        });
  }

  @Test
  void a_stored_500_is_looked_up_if_the_guard_says_how() throws Exception {
    with(
        Idempotency.of("stripe"),
        WITH_LOOKUP,
        this::stored,
        (test, flow, server) -> {
          assertThat(test.run(flow.flow(), Map.of("id", "A"))).isEqualTo("ch_7");
          assertThat(server.requests("POST")).hasSize(2);
          assertThat(effect(test).externalId()).isEqualTo("ch_7");
        });
  }

  @Test
  void a_500_after_which_the_key_is_forgotten_is_never_sent_again() throws Exception {
    with(
        Idempotency.of("checkout"),
        "keyed",
        _ -> new TestServer.Answer(500, Map.of(), "oops"),
        (test, flow, server) -> {
          assertThatThrownBy(() -> test.run(flow.flow(), Map.of("id", "A")))
              .isInstanceOf(RunInReview.class);
          assertThat(server.requests("POST")).hasSize(1);
          assertThat(server.requests().getFirst().header("cko-idempotency-key")).hasSize(32);
        });
  }

  @Test
  void a_lost_answer_is_sent_again_also_where_only_success_is_stored() throws Exception {
    with(
        Idempotency.of("checkout"),
        "keyed",
        _ -> posts.incrementAndGet() == 1 ? null : DONE,
        (test, flow, server) -> {
          assertThat(test.run(flow.flow(), Map.of("id", "A"))).isEqualTo("ch_1");
          assertThat(server.requests("POST")).hasSize(2);
        });
  }

  @Test
  void a_request_in_flight_is_asked_for_again_after_the_time_it_says() throws Exception {
    with(
        Idempotency.header("X-Key").inFlight(202),
        "keyed",
        _ ->
            posts.incrementAndGet() == 1
                ? new TestServer.Answer(202, Map.of("Retry-After", "120"), "")
                : DONE,
        (test, flow, server) -> {
          var run = test.start(flow.flow(), Map.of("id", "A"));
          test.move(java.time.Duration.ofSeconds(100));
          assertThat(server.requests("POST")).hasSize(1);
          test.move(java.time.Duration.ofSeconds(30));
          assertThat(run.await()).isEqualTo("ch_1");
        });
  }

  @Test
  void a_key_that_came_with_another_request_is_for_a_person_and_an_ordinary_422_is_final()
      throws Exception {
    with(
        Idempotency.of("standard"),
        "keyed",
        _ -> TestServer.Answer.json(422, "{}"),
        (test, flow, _) -> {
          assertThatThrownBy(() -> test.run(flow.flow(), Map.of("id", "A")))
              .isInstanceOf(RunInReview.class);
          assertThat(effect(test).evidence()).contains("another request");
        });
    with(
        Idempotency.USUAL,
        "keyed",
        _ -> TestServer.Answer.json(422, "{}"),
        (test, flow, _) ->
            assertThatThrownBy(() -> test.run(flow.flow(), Map.of("id", "A")))
                .isInstanceOf(RunFailed.class)
                .hasMessageContaining("http-422"));
  }

  /** Refusals after a lost answer; the first attempt is in doubt. */
  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 404, 407, 408, 409, 410, 422, 425, 429, 451, 500, 503})
  void a_refusal_settles_a_doubt_only_if_it_is_the_stored_answer(int status) throws Exception {
    boolean canBeStored = Set.of(400, 402, 410, 422, 451).contains(status);
    Idempotency marked = Idempotency.USUAL.replayHeader("Idempotent-Replayed");

    assertThat(endAfterLostAnswer(Idempotency.USUAL, status, Map.of())).isEqualTo("review");
    assertThat(endAfterLostAnswer(marked, status, Map.of())).isEqualTo("review");
    assertThat(endAfterLostAnswer(marked, status, Map.of("Idempotent-Replayed", "true")))
        .isEqualTo(canBeStored ? "http-" + status : "review");
    if (canBeStored) {
      assertThat(endAfterLostAnswer(Idempotency.USUAL.refusals(status), status, Map.of()))
          .isEqualTo("http-" + status);
    } else {
      assertThatThrownBy(() -> Idempotency.USUAL.refusals(status))
          .hasMessageContaining("never settle a doubt")
          .hasMessageContaining("got " + status);
    }
  }

  private String endAfterLostAnswer(Idempotency keys, int status, Map<String, String> headers)
      throws Exception {
    posts.set(0);
    var end = new AtomicReference<String>();
    with(
        keys,
        "keyed",
        _ -> posts.incrementAndGet() == 1 ? null : new TestServer.Answer(status, headers, "no"),
        (test, flow, _) -> {
          try {
            test.run(flow.flow(), Map.of("id", "A"));
          } catch (RunInReview e) {
            end.set("review");
          } catch (RunFailed e) {
            end.set(e.code());
            assertThat(effect(test).state()).isEqualTo(EffectState.FAILED);
            assertThat(e).hasMessageContaining("so no earlier attempt happened");
          }
        });
    return String.valueOf(end.get());
  }
}
