package dev.hapax.trial.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.hapax.flow.RunStatus;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.trial.FolderFixture;
import dev.hapax.trial.Trial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sandbox knows what happened, and removes duplicates only as a real destination would. */
class TrialSandboxTest {
  @TempDir private Path folder;

  private Trial.Builder trial(String flow) {
    return Trial.of(new FolderFixture(folder).with("flow.yaml", flow).read(), "charge");
  }

  private static Trial run(Trial.Builder builder) {
    Trial trial = builder.open();
    trial.start("charge", Map.of("id", "A-1"), null);
    trial.rest();
    trial.sandbox().arriveAll();
    return trial;
  }

  /** The first request meets the fault. */
  private static AnswerBook first(SandboxFault fault) {
    return request ->
        request.number() == 1 ? SandboxAnswer.USUAL.fault(fault) : SandboxAnswer.USUAL;
  }

  private static RunStatus status(Trial trial) {
    return trial.runs().getFirst().status();
  }

  private static String with(String guard) {
    return FolderFixture.CHARGE.replace("guard: keyed", "guard: " + guard);
  }

  @Test
  void a_request_that_works_is_sent_and_applied_once() {
    try (Trial trial = run(trial(FolderFixture.CHARGE))) {
      SandboxRequest sent = trial.sandbox().requests().getFirst();

      assertThat(status(trial)).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(sent.from().step()).isEqualTo("charge");
      assertThat(sent.from().key()).isEqualTo("A-1");
      assertThat(sent.method() + " " + sent.url()).isEqualTo("POST https://payments.test/charges");
      assertThat(sent.keyOnWire()).isEqualTo(sent.from().wireKey());
      assertThat(sent.body()).isEqualTo("{\"order\":\"A-1\"}");
      assertThat(truth(trial)).isEqualTo("1 sent, 1 applied");
    }
  }

  private static String truth(Trial trial) {
    EffectTruth truth = trial.sandbox().truth().getFirst();
    return "%d sent, %d applied".formatted(truth.sent(), truth.applied());
  }

  @Test
  void a_known_key_gets_the_first_answer_and_is_not_applied_again() {
    var builder = trial(FolderFixture.CHARGE).answers(first(SandboxFault.APPLIED_THEN_LOST));

    try (Trial trial = run(builder)) {
      assertThat(status(trial)).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(truth(trial)).isEqualTo("2 sent, 1 applied");
      assertThat(trial.sandbox().requests().getLast().isDuplicate()).isTrue();
    }
  }

  @Test
  void a_key_that_was_forgotten_is_applied_again() {
    var shortWindow = Idempotency.USUAL.window(Duration.ofMillis(1));
    Connection.Http payments =
        Connection.Http.of("payments", "https://pay.example").idempotency(shortWindow);
    var builder =
        trial(with("{keyed: {window: 24h}}")) // the flow believes in another window
            .connections(_ -> Optional.of(payments))
            .answers(first(SandboxFault.APPLIED_THEN_LOST));

    try (Trial trial = run(builder)) {
      assertThat(truth(trial)).isEqualTo("2 sent, 2 applied");
    }
  }

  @Test
  void a_destination_that_keeps_only_successes_forgets_a_key_after_a_failure() {
    Connection.Http payments =
        Connection.Http.of("payments", "https://pay.example")
            .idempotency(Idempotency.USUAL.stores(Idempotency.Stores.SUCCESS));
    AnswerBook book =
        request ->
            request.number() == 1
                ? SandboxAnswer.USUAL.status(500).applied(true)
                : SandboxAnswer.USUAL;

    try (Trial trial =
        run(trial(FolderFixture.CHARGE).connections(_ -> Optional.of(payments)).answers(book))) {
      assertThat(status(trial)).isEqualTo(RunStatus.REVIEW); // the engine knows that, and asks
      assertThat(truth(trial)).isEqualTo("1 sent, 1 applied");
    }
  }

  @Test
  void a_post_without_a_key_is_applied_each_time() {
    var builder =
        trial(with("{none: {onDoubt: repeat}}")).answers(first(SandboxFault.APPLIED_THEN_LOST));

    try (Trial trial = run(builder)) {
      assertThat(truth(trial)).isEqualTo("2 sent, 2 applied");
    }
  }

  @Test
  void a_put_with_the_same_content_is_one_state() {
    String put = with("upsert").replace("method: POST, path: /charges", "method: PUT, path: /x");
    var builder = trial(put).answers(first(SandboxFault.APPLIED_THEN_LOST));

    try (Trial trial = run(builder)) {
      assertThat(truth(trial)).isEqualTo("2 sent, 1 applied");
    }
  }

  @Test
  void a_request_that_never_arrived_is_applied_when_it_is_sent_again() {
    try (Trial trial = run(trial(FolderFixture.CHARGE).answers(first(SandboxFault.LOST)))) {
      assertThat(status(trial)).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(truth(trial)).isEqualTo("2 sent, 1 applied");
    }
  }

  @Test
  void a_refused_connection_is_no_doubt() {
    var builder = trial(with("none")).answers(first(SandboxFault.REFUSED));

    try (Trial trial = run(builder)) {
      assertThat(status(trial)).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(truth(trial)).isEqualTo("2 sent, 1 applied");
    }
  }

  @Test
  void a_request_that_arrives_twice_is_applied_twice_without_a_key() {
    var builder = trial(with("none")).answers(first(SandboxFault.DUPLICATE));

    try (Trial trial = run(builder)) {
      assertThat(truth(trial)).isEqualTo("1 sent, 2 applied");
    }
  }

  @Test
  void a_request_that_arrives_twice_is_applied_once_with_a_key() {
    try (Trial trial = run(trial(FolderFixture.CHARGE).answers(first(SandboxFault.DUPLICATE)))) {
      assertThat(truth(trial)).isEqualTo("1 sent, 1 applied");
    }
  }

  private static final String LOOKUP =
      """
      {lookup: {http: {connection: payments, path: /charges, query: {order: "${input.id}"}},
       found: "${response.body.charges.size() > 0 && response.body.charges[0].order == input.id}",
       output: "${response.body.charges[0]}", settle: 10s}}
      """
          .replace("\n", " ");

  @Test
  void a_late_request_is_there_when_the_lookup_asks() {
    try (Trial trial = run(trial(with(LOOKUP)).answers(first(SandboxFault.LATE)))) {
      assertThat(status(trial)).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(truth(trial)).isEqualTo("1 sent, 1 applied");
    }
  }

  @Test
  void a_lookup_does_not_find_what_never_arrived() {
    AnswerBook book =
        request ->
            request.from().isEffect() && request.from().attempt() == 1
                ? SandboxAnswer.USUAL.fault(SandboxFault.LOST)
                : SandboxAnswer.USUAL;

    try (Trial trial = run(trial(with(LOOKUP)).answers(book))) {
      assertThat(status(trial)).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(truth(trial)).isEqualTo("2 sent, 1 applied");
    }
  }

  @Test
  void an_answer_of_fifty_megabytes_is_kept_as_a_resource() {
    var large = new LargeBody(50_000_000);
    String flow =
        FolderFixture.CHARGE
            .replace(", externalId: \"${output.body.id}\"", "")
            .replace("\"${steps.charge.externalId}\"", "\"${steps.charge.output.body.ref}\"");

    try (Trial trial = run(trial(flow).answers(_ -> SandboxAnswer.USUAL.body(large)))) {
      assertThat(trial.runs().getFirst().output()).contains("res://");
    }
  }

  @Test
  void credentials_and_secrets_are_not_in_what_was_sent() {
    Connection.Http payments =
        Connection.Http.of("payments", "https://pay.example")
            .auth(new Connection.Auth.Bearer("pay-token"));

    try (Trial trial = run(trial(FolderFixture.CHARGE).connections(_ -> Optional.of(payments)))) {
      assertThat(trial.sandbox().requests().toString())
          .doesNotContainIgnoringCase("authorization")
          .doesNotContain("only-for-the-sandbox");
    }
  }

  @Test
  void mails_calls_statements_and_messages_reach_the_sandbox_too() {
    String flow =
        """
        flow: charge
        key: ${input.id}
        steps:
          - id: row
            db: {connection: books, sql: "INSERT INTO orders (id) VALUES (:id)", params: {id: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: transaction}
          - id: ship
            call: {handler: carrier.ship, input: {id: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: mail
            email: {connection: smtp, to: ann@example.com, subject: Hello, text: "${input.id}"}
            effect: {kind: notify, key: "mail/${input.id}", guard: none}
          - id: told
            publish: {connection: partner, type: order.paid, data: {id: "${input.id}"}}
        """;
    AnswerBook book =
        request ->
            request.from().attempt() == 1 && !request.from().step().equals("mail")
                ? SandboxAnswer.USUAL.fault(SandboxFault.APPLIED_THEN_LOST)
                : SandboxAnswer.USUAL;

    try (Trial trial = run(trial(flow).answers(book))) {
      assertThat(trial.runs()).allMatch(run -> run.status() == RunStatus.SUCCEEDED);
      assertThat(trial.sandbox().truth())
          .extracting(EffectTruth::step, EffectTruth::sent, EffectTruth::applied)
          .containsExactlyInAnyOrder(
              tuple("row", 2, 1), tuple("ship", 2, 1), tuple("mail", 1, 1), tuple("told", 2, 2));
    }
  }

  @Test
  void nothing_leaves_a_process_that_is_dead() {
    var watched = new AtomicReference<Trial>();
    var builder =
        trial(with("none"))
            .sends(
                new SendWatch() {
                  @Override
                  public void before(SandboxRequest request) {
                    if (request.number() == 1) {
                      watched.get().die();
                    }
                  }

                  @Override
                  public void after(SandboxRequest request) {}
                });
    try (Trial trial = builder.open()) {
      watched.set(trial);
      trial.start("charge", Map.of("id", "A-1"), null);
      trial.rest();

      assertThat(status(trial)).isEqualTo(RunStatus.REVIEW); // it may have left, for all it knows
      assertThat(trial.sandbox().requests()).isEmpty();
    }
  }
}
