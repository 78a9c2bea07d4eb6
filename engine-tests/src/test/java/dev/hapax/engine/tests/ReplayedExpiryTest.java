package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.JobRequest;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Flow.AfterRetention;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The plan of a replay knows what is left of effects that have expired. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReplayedExpiryTest extends EngineTest {
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private volatile boolean isOpen;

  /** Makes an invoice. */
  private Flow<Order, Receipt> invoicing(String name, boolean isGated, AfterRetention after) {
    return register(
        orders(name)
            .afterRetention(after)
            .body(
                (run, order) -> {
                  String gate =
                      run.step(
                          "gate",
                          () -> {
                            if (isGated && !isOpen) {
                              throw new Rejected("closed", "come back later");
                            }
                            return "open";
                          },
                          String.class);
                  String made =
                      run.effect(
                          "invoice",
                          Effect.create(order.id()).request(gate).keyed().name("invoice"),
                          (key, _) -> {
                            if (refused.contains(order.id())) {
                              throw new Rejected("no-credit", "not for this customer");
                            }
                            sent.add(key);
                            return key;
                          },
                          String.class);
                  return new Receipt(order.id(), made);
                }));
  }

  private Flow<Order, Receipt> gated() {
    return invoicing("gated", true, AfterRetention.EXPIRED);
  }

  /** Each invoice has been made, or refused, so long ago that only its tombstone is left. */
  private void expired(String... keys) {
    Flow<Order, Receipt> first = invoicing("first", false, AfterRetention.EXPIRED);
    for (String key : keys) {
      awaitStatus(
          hapax.start(first, order(key)),
          refused.contains(key) ? RunStatus.FAILED : RunStatus.SUCCEEDED);
    }
    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().effects() == keys.length);
    refused.clear();
  }

  private RunHandle<Receipt> failed(Flow<Order, Receipt> flow, String key) {
    RunHandle<Receipt> run = hapax.start(flow, order(key));
    awaitStatus(run, RunStatus.FAILED);
    return run;
  }

  private ReplayPlan planned(RunHandle<?> run) {
    isOpen = true;
    return hapax.replays().plan(run.id(), ReplayWish.ALL);
  }

  @Test
  void what_was_done_and_has_expired_is_not_planned_to_be_sent() {
    expired("A");
    RunHandle<Receipt> run = failed(gated(), "A");

    ReplayPlan plan = planned(run);

    assertThat(plan.items())
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.decision()).isEqualTo(ReplayPlan.Decision.CHANGED);
              assertThat(item.note()).contains("effect-expired").contains("nothing is sent");
              assertThat(item.revision()).isEqualTo(1);
              assertThat(item.wireKey()).isEqualTo(sent.getFirst());
            });
    assertThat(plan.ends()).contains("effect-expired");
    hapax.replays().apply(plan, "ann", "the gate is open");
    awaitStatus(run, RunStatus.FAILED);
    assertThat(Objects.requireNonNull(hapax.run(run.id()).error()).code())
        .isEqualTo("effect-expired");
    assertThat(sent).hasSize(1);
  }

  @Test
  void what_failed_and_has_expired_is_planned_and_sent_as_its_next_revision() {
    refused.add("A");
    expired("A");
    RunHandle<Receipt> run = failed(gated(), "A");

    ReplayPlan plan = planned(run);
    hapax.replays().apply(plan, "ann", "the gate is open");

    assertThat(plan.items())
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.decision()).isEqualTo(ReplayPlan.Decision.SEND);
              assertThat(item.revision()).isEqualTo(2);
              assertThat(item.note()).contains("has expired");
            });
    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(sent).containsExactly(plan.items().getFirst().wireKey());
  }

  @Test
  void a_run_that_its_flow_wants_to_be_new_is_planned_to_send_the_next_revision() {
    isOpen = true;
    Flow<Order, Receipt> yearly = invoicing("yearly", true, AfterRetention.NEW);
    hapax.start(yearly, order("A")).await();
    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().effects() == 1);
    isOpen = false;
    RunHandle<Receipt> again = failed(yearly, "A");

    ReplayPlan plan = planned(again);
    hapax.replays().apply(plan, "ann", "the gate is open");

    assertThat(plan.items().getFirst().revision()).isEqualTo(2);
    awaitStatus(again, RunStatus.SUCCEEDED);
    assertThat(sent).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void many_runs_are_planned_with_what_is_left_of_expired_effects() {
    refused.add("B");
    expired("A", "B");
    Flow<Order, Receipt> flow = gated();
    List.of("A", "B", "C").forEach(key -> failed(flow, key));
    isOpen = true;

    Job plan =
        hapax
            .jobs()
            .plan(JobRequest.replay(JobSelection.NONE.flow("gated"), ReplayWish.ALL, "ann"));
    moveUntil(
        Duration.ofMillis(500), () -> hapax.jobs().job(plan.id()).state() == JobState.PLANNED);

    assertThat(hapax.replays().planned(plan.id(), null, 0, 10))
        .flatExtracting(run -> run.effects())
        .extracting(item -> item.key() + " " + item.decision().word() + " " + item.revision())
        .containsExactlyInAnyOrder("A changed 1", "B send 2", "C send 1");
  }
}
