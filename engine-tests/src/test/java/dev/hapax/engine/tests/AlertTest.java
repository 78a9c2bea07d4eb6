package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.CatchUp;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.NextInstants;
import dev.hapax.OutgoingMessage;
import dev.hapax.RunHandle;
import dev.hapax.Schedule;
import dev.hapax.Verdict;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Destination;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowAlerts;
import dev.hapax.flow.Message;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each event that people subscribe to causes one alert. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class AlertTest extends EngineTest {
  private final ConcurrentLinkedQueue<OutgoingMessage> told = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> tokens = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void openWithAlerts() {
    hapax.close();
    hapax =
        Hapax.open(
            process,
            HapaxOptions.DEFAULT
                .ports(time.ports())
                .closeWithin(Duration.ZERO)
                .alerts("people", Alert.values())
                .waitingTooLong(Duration.ofHours(8)));
  }

  private List<String> types() {
    return told.stream().map(OutgoingMessage::type).toList();
  }

  @Test
  void each_failure_is_alerted_once_in_the_commit_that_ends_the_run() {
    hapax.outbox().courier("people", told::add);
    Flow<Order, Receipt> fails =
        register(
            orders("fails")
                .body(
                    (_, _) -> {
                      throw new IllegalStateException("no");
                    }));

    RunHandle<Receipt> run = hapax.start(fails, order("A-1"));
    eventually(() -> told.size() == 1);
    hapax.retry(run.id(), "ada");
    eventually(() -> told.size() == 2);

    assertThat(types()).containsOnly("hapax.alert.failed");
    assertThat(told.stream().map(OutgoingMessage::id).distinct()).hasSize(2);
    assertThat(told.element().json()).contains(run.id(), "\"flow\":\"fails\"", "no");
    assertThat(entry(run, "alerted").decision()).contains("failed", "delivered by run r-");
  }

  @Test
  void a_review_is_alerted_once_though_its_run_looks_at_it_again() {
    hapax.outbox().courier("people", told::add);
    Flow<Order, Receipt> flow =
        register(
            charging(
                "charge",
                create(order("A-1")).unguarded(),
                _ -> {
                  throw new IOException("reset");
                }));

    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> told.size() == 1);
    hapax.cancel(run.id(), "ada", null); // it wakes, and goes back to its review
    eventually(() -> types(run).contains("cancel-requested"));
    moveSteps(20, Duration.ofSeconds(1));

    assertThat(types()).containsExactly("hapax.alert.review");
  }

  @Test
  void an_alert_shows_the_runbook_of_its_step_or_of_its_flow() {
    hapax.outbox().courier("people", told::add);
    Flow<Order, Receipt> flow =
        register(
            orders("charge")
                .runbook("Ask Ada.")
                .runbook("charge", "Look at the bank.")
                .body(
                    (run, order) -> {
                      if (order.id().equals("B-1")) {
                        throw new IllegalStateException("no");
                      }
                      return new Receipt(
                          order.id(),
                          run.effect(
                              "charge",
                              create(order).unguarded(),
                              _ -> {
                                throw new IOException("reset");
                              },
                              String.class));
                    }));

    hapax.start(flow, order("A-1"));
    eventually(() -> told.size() == 1);
    hapax.start(flow, order("B-1"));
    eventually(() -> told.size() == 2);

    List<String> alerts = told.stream().map(OutgoingMessage::json).toList();
    assertThat(alerts.getFirst()).contains("\"runbook\":\"Look at the bank.\"");
    assertThat(alerts.getLast()).contains("\"runbook\":\"Ask Ada.\"");
  }

  @Test
  void skipped_instants_of_a_schedule_are_reported() {
    hapax.outbox().courier("people", told::add);
    Flow<String, String> report =
        register(Flow.of("report", String.class, String.class).body((_, input) -> input));
    hapax
        .schedules()
        .add(
            Schedule.named("hourly")
                .flow(report)
                .input("x")
                .at(NextInstants.every(Duration.ofHours(1), Instant.EPOCH))
                .catchUp(CatchUp.NONE));

    moveAndAwait(Duration.ofMinutes(185), () -> !told.isEmpty());

    assertThat(types()).containsExactly("hapax.alert.missed-schedule");
    assertThat(told.element().json()).contains("hourly", "skipped");
  }

  @Test
  void a_wait_for_people_that_lasts_too_long_is_alerted_once() {
    hapax.outbox().courier("people", told::add);
    Flow<Order, Receipt> flow =
        register(
            orders("release")
                .body(
                    (run, order) -> {
                      run.approval("sign", Approval.ask("Send it?").roles("finance"));
                      run.approval("seal", Approval.ask("Seal it?").roles("finance"));
                      return new Receipt(order.id(), "sent");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);

    moveSteps(7, Duration.ofHours(1));
    assertThat(told).isEmpty();
    moveAndAwait(Duration.ofHours(2), () -> told.size() == 1);
    moveSteps(30, Duration.ofHours(1));
    assertThat(types()).containsExactly("hapax.alert.waiting-too-long");
    assertThat(told.element().json()).contains(run.id(), "\"step\":\"sign\"", "\"since\":");
    assertThat(entry(run, "alerted").decision()).contains("waiting too long");
    assertThat(types(run)).containsOnlyOnce("alerted");

    String asked = hapax.approvals().list(hapax.approvals().open()).getFirst().id();
    hapax.approvals().decide(asked, Verdict.approve("ann").roles("finance"));
    moveUntil(Duration.ofHours(1), () -> told.size() == 2);
    assertThat(told.stream().map(OutgoingMessage::id).distinct()).hasSize(2);
  }

  @Test
  void a_wait_that_is_answered_in_time_is_not_alerted() {
    hapax.outbox().courier("people", told::add);
    Flow<Order, Receipt> flow =
        register(
            orders("callback")
                .body(
                    (run, order) -> {
                      tokens.add(run.callback("answer"));
                      run.sleep("early", Duration.ofDays(3));
                      return new Receipt(order.id(), run.awaitCallback("answer", String.class));
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    moveUntil(Duration.ofHours(6), () -> types(run).contains("callback-awaited"));

    hapax.callbacks().answer(tokens.element(), "yes");
    moveSteps(20, Duration.ofHours(1));

    assertThat(run.await().key()).isEqualTo("yes");
    assertThat(told).isEmpty();
  }

  @Test
  void an_alert_that_cannot_be_delivered_is_a_dead_letter_and_causes_no_alert() {
    hapax
        .outbox()
        .courier(
            "people",
            _ -> {
              throw new Rejected("gone", "410");
            });
    Flow<Order, Receipt> fails =
        register(
            orders("fails")
                .body(
                    (_, _) -> {
                      throw new IllegalStateException("no");
                    }));

    awaitStatus(hapax.start(fails, order("A-1")), RunStatus.FAILED);

    eventually(() -> hapax.outbox().deadLetters().size() == 1);
    moveSteps(20, Duration.ofSeconds(1));
    assertThat(hapax.outbox().deadLetters()).hasSize(1);
    assertThat(hapax.outbox().undelivered()).isEmpty();
  }

  @Test
  void the_dead_letter_of_another_destination_is_alerted() {
    hapax.outbox().courier("people", told::add);
    hapax
        .outbox()
        .courier(
            "shop",
            _ -> {
              throw new Rejected("gone", "410");
            });

    hapax.outbox().publish("k", Message.to("shop").type("t"));

    eventually(() -> told.size() == 1);
    assertThat(told.element().json()).contains("hapax/deliver/shop");
  }

  @Test
  void a_flow_has_its_own_alerts_beside_those_of_the_engine() {
    var own = new ConcurrentLinkedQueue<OutgoingMessage>();
    hapax.close();
    hapax =
        Hapax.open(
            process,
            HapaxOptions.DEFAULT
                .ports(time.ports())
                .closeWithin(Duration.ZERO)
                .alerts("people", Alert.values())
                .alertsOf(tenant -> tenant.equals("operator")));
    hapax.outbox().courier("people", told::add);
    hapax.outbox().courier("owners", own::add);
    Flow.Body<Order, Receipt> failing =
        (_, _) -> {
          throw new IllegalStateException("no");
        };
    Flow<Order, Receipt> silent = register(orders("silent").body(failing));
    Flow<Order, Receipt> loud =
        register(orders("loud").alerts("owners", Alert.FAILED).body(failing));

    awaitStatus(hapax.start(silent, order("A-1")), RunStatus.FAILED);
    awaitStatus(hapax.start(loud, order("A-1")), RunStatus.FAILED);

    eventually(() -> own.size() == 1);
    moveSteps(20, Duration.ofSeconds(1));
    assertThat(own.element().json()).contains("\"flow\":\"loud\"");
    assertThat(told).isEmpty();
  }

  @Test
  void a_tenant_asks_for_alerts_about_all_its_flows_and_can_change_its_mind() {
    var asked = new AtomicReference<@Nullable FlowAlerts>();
    hapax.close();
    hapax =
        Hapax.open(
            process,
            HapaxOptions.DEFAULT
                .ports(time.ports())
                .closeWithin(Duration.ZERO)
                .alertsOfTenants(tenant -> tenant.equals("acme") ? asked.get() : null));
    Flow<Order, Receipt> fails =
        orders("fails")
            .body(
                (_, _) -> {
                  throw new IllegalStateException("no");
                });
    for (String tenant : List.of("acme", "umbrella")) {
      hapax.tenant(tenant).outbox().courier("owners", told::add);
      hapax.tenant(tenant).register(fails);
    }

    awaitFailed("acme", fails, "A-1");
    asked.set(new FlowAlerts("owners", Set.of(Alert.FAILED), null));
    awaitFailed("acme", fails, "A-2");
    awaitFailed("umbrella", fails, "A-3");

    eventually(() -> told.size() == 1);
    moveSteps(20, Duration.ofSeconds(1));
    assertThat(told).hasSize(1);
    assertThat(told.element().json()).contains("A-2");
  }

  private void awaitFailed(String tenant, Flow<Order, Receipt> flow, String id) {
    String run = hapax.tenant(tenant).start(flow, order(id)).id();
    eventually(() -> hapax.tenant(tenant).run(run).status() == RunStatus.FAILED);
  }

  @Test
  void a_circuit_breaker_that_opens_is_alerted_once() {
    hapax.outbox().courier("people", told::add);
    hapax.destinations().register(Destination.of("bank").breaker(1, Duration.ofMinutes(10)));
    Flow<Order, Receipt> flow =
        register(
            charging(
                "charge",
                create(order("A-1")).keyed().to("bank"),
                _ -> {
                  throw new IOException("reset");
                }));

    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    moveUntil(Duration.ofSeconds(1), () -> types().contains("hapax.alert.circuit-open"));
    moveSteps(20, Duration.ofSeconds(10));

    assertThat(types()).containsOnlyOnce("hapax.alert.circuit-open");
    assertThat(told.element().json()).contains(run.id(), "bank");
    assertThat(entry(run, "alerted").decision()).contains("circuit open");
  }

  @Test
  void messages_of_an_approval_leave_with_the_question_once() {
    hapax.outbox().courier("desk", told::add);
    Flow<Order, Receipt> flow =
        register(
            orders("release")
                .body(
                    (run, order) -> {
                      run.approval(
                          "sign",
                          Approval.ask("Send it?")
                              .telling(Message.to("desk").type("please").data("now")));
                      return new Receipt(order.id(), "sent");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> told.size() == 1);
    moveSteps(7, Duration.ofHours(1));

    String asked = hapax.approvals().list(hapax.approvals().open()).getFirst().id();
    assertThat(types()).containsExactly("please");
    assertThat(told.element().json()).contains(asked, "Send it?", "\"data\":\"now\"");
    assertThat(entry(run, "notified").decision()).contains("to desk: delivered by run r-");
  }
}
