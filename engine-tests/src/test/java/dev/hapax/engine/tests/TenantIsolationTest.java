package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Acknowledgement;
import dev.hapax.Approvals;
import dev.hapax.CatchUp;
import dev.hapax.Delivery;
import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.NextInstants;
import dev.hapax.RunHandle;
import dev.hapax.Schedule;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Destination;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** One engine, several tenants: none sees or touches what belongs to another, by any door. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class TenantIsolationTest extends EngineTest {
  private final Hapax acme = hapax.tenant("acme");
  private final Hapax rival = hapax.tenant("rival");

  private static Flow<Order, Receipt> answering(String text) {
    return orders("answer").body((_, order) -> new Receipt(order.id(), text));
  }

  private void eventuallyIs(Hapax owner, RunHandle<?> run, RunStatus status) {
    eventually(() -> owner.run(run.id()).status() == status);
  }

  private static void refuseAsUnknown(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NotFound.class);
  }

  @Test
  void a_run_waits_for_the_code_of_its_own_tenant() {
    Flow<Order, Receipt> flow = sleeping(Duration.ofHours(1));
    acme.register(flow);
    RunHandle<Receipt> run = acme.start(flow, order("A"));
    eventuallyIs(acme, run, RunStatus.WAITING);

    crash();
    Hapax again = hapax.tenant("acme");
    hapax.tenant("rival").register(flow);
    moveSteps(20, Duration.ofMinutes(10));
    assertThat(again.run(run.id()).status()).isEqualTo(RunStatus.WAITING);
    again.register(flow);

    moveUntil(Duration.ofMinutes(1), () -> again.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void another_tenants_run_is_unknown_by_every_door() {
    Flow<Order, Receipt> flow = sleeping(Duration.ofHours(1));
    acme.register(flow);
    rival.register(flow);
    RunHandle<Receipt> run = acme.start(flow, order("A"));
    eventuallyIs(acme, run, RunStatus.WAITING);

    for (Hapax other : List.of(rival, hapax)) {
      refuseAsUnknown(() -> other.run(run.id()));
      refuseAsUnknown(() -> other.history(run.id()));
      refuseAsUnknown(() -> other.handle(run.id(), Receipt.class));
      refuseAsUnknown(() -> other.cancel(run.id(), "eve", null));
      refuseAsUnknown(() -> other.cancelAndCompensate(run.id(), "eve", null));
      refuseAsUnknown(() -> other.retry(run.id(), "eve"));
      refuseAsUnknown(() -> other.retry(run.id(), "eve", flow, order("A")));
      refuseAsUnknown(() -> other.settleStep(run.id(), "pause", null, 1, "why", "eve"));
      refuseAsUnknown(() -> other.forget(flow, "A", "eve", "why"));
      refuseAsUnknown(() -> other.retention().explainRun(run.id()));
      refuseAsUnknown(() -> other.retention().keptUntil(run.id()));
      assertThat(other.runs(RunFilter.of("acme"))).isEmpty();
      assertThat(other.runs(acme.runs())).isEmpty();
    }
    assertThat(acme.runs(acme.runs())).hasSize(1);
    assertThat(acme.run(run.id()).status()).isEqualTo(RunStatus.WAITING);
    assertThat(rival.id("sleeper", "A")).isNotEqualTo(run.id());
    assertThat(rival.start(flow, order("A")).isDuplicate()).isFalse();
  }

  @Test
  void effects_are_remembered_per_tenant_and_settled_by_their_own() {
    Flow<Order, Receipt> flow = mailer(Duration.ofDays(30));
    acme.register(flow);
    rival.register(flow);
    RunHandle<Receipt> run = acme.start(flow, order("A"));
    eventuallyIs(acme, run, RunStatus.REVIEW);

    EffectRecord effect = acme.effects(acme.effects().state(EffectState.REVIEW)).getFirst();
    assertThat(rival.effects(acme.effects())).isEmpty();
    refuseAsUnknown(() -> rival.settle(effect.id(), Settlement.happened(null, "I say so", "eve")));
    refuseAsUnknown(() -> rival.retention().explainEffect(effect.id()));
    RunHandle<Receipt> theirs = rival.start(flow, order("A"));
    eventuallyIs(rival, theirs, RunStatus.REVIEW);
    acme.settle(effect.id(), Settlement.happened(null, "seen", "ann"));

    run.await();
    assertThat(rival.run(theirs.id()).status()).isEqualTo(RunStatus.REVIEW);
    assertThat(rival.effects(rival.effects())).hasSize(1);
  }

  @Test
  void why_an_effect_is_kept_names_no_flow_of_another_tenant() {
    for (Hapax tenant : List.of(acme, rival)) {
      String name = tenant == acme ? "ours" : "their-plan";
      Flow<Order, Receipt> flow =
          orders(name)
              .retention(Duration.ofDays(tenant == acme ? 1 : 90))
              .body(
                  (run, order) -> {
                    run.effect(
                        "send",
                        Effect.create("1").keyed().name("invoice"),
                        _ -> "sent",
                        String.class);
                    return new Receipt(order.id(), "");
                  });
      tenant.register(flow);
      tenant.start(flow, order("A")).await();
    }
    EffectRecord effect = acme.effects(acme.effects()).getFirst();

    assertThat(acme.retention().explainEffect(effect.id()).toString())
        .contains("flow 'ours' keeps effects named 'invoice' for PT24H")
        .doesNotContain("their-plan");
  }

  @Test
  void approvals_and_callbacks_are_answered_in_their_tenant_only() {
    var token = new AtomicReference<String>();
    Flow<Order, Receipt> flow =
        orders("waiting")
            .body(
                (run, order) -> {
                  token.set(run.callback("paid"));
                  run.approval("release", Approval.ask("Send it?"));
                  return new Receipt(
                      order.id(), run.awaitCallback("paid", Duration.ofDays(3), String.class));
                });
    acme.register(flow);
    RunHandle<Receipt> run = acme.start(flow, order("A"));
    eventuallyIs(acme, run, RunStatus.WAITING);
    Approvals.Item asked = acme.approvals().list(acme.approvals().open()).getFirst();

    assertThat(rival.approvals().list(acme.approvals().open())).isEmpty();
    refuseAsUnknown(() -> rival.approvals().get(asked.id()));
    refuseAsUnknown(() -> rival.approvals().decide(asked.id(), Verdict.approve("eve")));
    refuseAsUnknown(() -> rival.callbacks().answer(token.get(), "stolen"));
    acme.approvals().decide(asked.id(), Verdict.approve("ann"));
    acme.callbacks().answer(token.get(), "ours");

    assertThat(run.await().key()).isEqualTo("ours");
  }

  @Test
  void the_map_and_resources_are_the_tenants_own_also_from_bodies() {
    Flow<Order, Receipt> writer =
        orders("writer")
            .body(
                (run, order) -> {
                  run.kv().put("remember", "last", "from a body");
                  return new Receipt(order.id(), "");
                });
    acme.register(writer);
    acme.start(writer, order("A")).await();
    String ref = acme.resources().put("text".getBytes(StandardCharsets.UTF_8), "text/plain");

    assertThat(acme.kv().get("last").value(String.class)).isEqualTo("from a body");
    assertThat(rival.kv().get("last").isPresent()).isFalse();
    assertThat(rival.kv().list("", null, 10)).isEmpty();
    assertThat(rival.kv().delete("last").written()).isFalse();
    assertThat(rival.kv().putIfAbsent("last", "rival's").written()).isTrue();
    assertThat(acme.kv().get("last").value(String.class)).isEqualTo("from a body");
    assertThatThrownBy(() -> rival.resources().get(ref)).isInstanceOf(ResourceNotFound.class);
  }

  @Test
  void an_event_and_its_source_belong_to_one_tenant() {
    Flow<Order, Receipt> ours = answering("acme's");
    Flow<Order, Receipt> theirs = answering("rival's");
    acme.register(ours);
    rival.register(theirs);
    acme.inbox().source("shop", Order.class, ours, order -> order);
    Event event = Event.from("shop").id("e-1").payload(order("A"));

    assertThatThrownBy(() -> rival.inbox().receive(event))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown");
    rival.inbox().source("shop", Order.class, theirs, order -> order);
    Acknowledgement first = acme.inbox().receive(event);
    Acknowledgement same = rival.inbox().receive(event);

    assertThat(first.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(same.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(same.run()).isNotEqualTo(first.run());
    assertThat(rival.inbox().events(acme.inbox().events())).hasSize(1);
    refuseAsUnknown(() -> rival.inbox().retry(first.event()));
  }

  @Test
  void schedules_of_one_name_live_beside_each_other() {
    Instant anchor = time.now();
    for (Hapax tenant : List.of(acme, rival)) {
      Flow<String, String> report =
          Flow.of("report", String.class, String.class).body((_, input) -> input);
      tenant.register(report);
      tenant
          .schedules()
          .add(
              Schedule.named("hourly")
                  .flow(report)
                  .input(Instant::toString)
                  .at(NextInstants.every(Duration.ofHours(1), anchor))
                  .catchUp(CatchUp.LATEST));
    }
    rival.schedules().pause("hourly");
    moveAndAwait(Duration.ofHours(1), () -> acme.runs(acme.runs()).size() == 1);

    assertThat(rival.runs(rival.runs())).isEmpty();
    rival.schedules().remove("hourly");
    assertThat(acme.schedules().list()).hasSize(1);
    assertThat(hapax.schedules().list()).isEmpty();
    assertThatThrownBy(() -> hapax.schedules().pause("hourly"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void locks_slots_and_rates_delay_no_other_tenant() {
    Flow<Order, Receipt> flow =
        orders("section")
            .concurrency(1)
            .rate(1, Duration.ofHours(1))
            .body(
                (run, order) ->
                    run.locked(
                        "pick",
                        "stock",
                        _ -> {
                          run.sleep("pause", Duration.ofMinutes(1));
                          return new Receipt(order.id(), "");
                        }));
    for (Hapax tenant : List.of(acme, rival)) {
      tenant.register(flow);
      RunHandle<Receipt> run = tenant.start(flow, order("A"));
      eventuallyIs(tenant, run, RunStatus.WAITING);
    }

    assertThat(acme.locks()).hasSize(1);
    assertThat(acme.slots("section", null)).hasSize(1);
    assertThat(hapax.locks()).isEmpty();
    assertThat(hapax.slots("section", null)).isEmpty();
  }

  @Test
  void messages_and_destinations_are_the_tenants_own() {
    var arrived = new ConcurrentLinkedQueue<String>();
    acme.outbox().courier("shop", message -> arrived.add("acme " + message.type()));
    rival
        .outbox()
        .courier(
            "shop",
            _ -> {
              throw new Rejected("no", "not here");
            });
    acme.outbox().publish("m-1", Message.to("shop").type("paid"));
    rival.outbox().publish("m-1", Message.to("shop").type("paid"));
    eventually(() -> arrived.size() == 1 && rival.outbox().deadLetters().size() == 1);

    Delivery dead = rival.outbox().deadLetters().getFirst();
    assertThat(acme.outbox().deadLetters()).isEmpty();
    refuseAsUnknown(() -> acme.outbox().redeliver(dead, "eve"));
    acme.destinations().register(Destination.of("bank").calls(2));
    assertThat(rival.destinations().states()).doesNotContainKey("bank");
    assertThat(arrived).containsExactly("acme paid");
  }

  @Test
  void a_child_is_looked_up_in_the_tenant_of_its_parent() {
    Flow<Order, Receipt> ours = answering("acme's");
    Flow<Order, Receipt> theirs = answering("rival's");
    Flow<Order, Receipt> parent =
        orders("parent").body((run, order) -> run.call("child", ours, order));
    acme.register(ours);
    acme.register(parent);
    rival.register(theirs);

    assertThat(acme.start(parent, order("A")).await().key()).isEqualTo("acme's");
    assertThat(rival.runs(rival.runs())).isEmpty();
  }

  @Test
  void a_tenants_part_leads_nowhere_else() {
    Flow<Order, Receipt> flow = answering("still here");
    try (Hapax view = hapax.tenant("default")) {
      view.register(flow);
      assertThatThrownBy(() -> view.tenant("acme")).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> view.backup(Path.of("all"))).hasMessageContaining("'default'");
      assertThatThrownBy(() -> view.retention().deleted())
          .isInstanceOf(IllegalStateException.class);
    }

    assertThat(hapax.start(flow, order("A")).await().key()).isEqualTo("still here");
    assertThatThrownBy(() -> hapax.tenant("")).isInstanceOf(IllegalArgumentException.class);
  }
}
