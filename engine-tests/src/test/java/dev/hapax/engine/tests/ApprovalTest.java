package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Forbidden;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.WaitState;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Runs that wait for people. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class ApprovalTest extends EngineTest {
  private static final Approval ASK = Approval.ask("Send it?").roles("finance", "boss");

  /** Asks, and returns what was decided and by whom. */
  private static Flow<Order, Receipt> asking(Approval approval) {
    return orders("asking")
        .body(
            (run, order) -> {
              Decision decision = run.approval("release", approval);
              return new Receipt(order.id(), decision.decision().word() + " by " + decision.by());
            });
  }

  private RunHandle<Receipt> startWaiting(Approval approval) {
    RunHandle<Receipt> run = hapax.start(register(asking(approval)), order("A"));
    awaitReleased(run);
    return run;
  }

  private Approvals.Item open() {
    List<Approvals.Item> open = hapax.approvals().list(hapax.approvals().open());
    assertThat(open).hasSize(1);
    return open.getFirst();
  }

  private static Decision decisionOf(Approvals.Receipt receipt) {
    return Objects.requireNonNull(receipt.decision());
  }

  private static Verdict approve(String actor) {
    return Verdict.approve(actor).roles("finance");
  }

  @Test
  void an_approval_is_listed_and_decided() {
    RunHandle<Receipt> run = startWaiting(ASK.expires(Duration.ofDays(3)));
    Approvals.Item item = open();
    assertThat(item.run()).isEqualTo(run.id());
    assertThat(item.ask()).isEqualTo("Send it?");
    assertThat(item.roles()).containsExactly("finance", "boss");
    assertThat(hapax.approvals().list(hapax.approvals().open().role("intern"))).isEmpty();

    Approvals.Receipt receipt =
        hapax.approvals().decide(item.id(), approve("ann").comment("ok").values(Map.of("a", 1)));

    assertThat(receipt.isFirst()).isTrue();
    assertThat(run.await().key()).isEqualTo("approve by ann");
    assertThat(hapax.approvals().get(item.id()).decision())
        .isEqualTo(new Decision(Decision.Choice.APPROVE, "ann", "ok", "{\"a\":1}"));
    assertThat(entry(run, "wait-settled").decision()).isEqualTo("by ann");
  }

  @Test
  void a_decision_is_in_the_history_before_its_run_has_read_it() {
    RunHandle<Receipt> run = startWaiting(ASK);
    crash(); // no code is registered, so that the run cannot go on
    hapax.approvals().decide(open().id(), approve("ann"));

    assertThat(entry(run, "wait-settled").decision()).isEqualTo("by ann");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);

    hapax.register(asking(ASK));
    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(types(run)).containsOnlyOnce("wait-settled");
  }

  @Test
  void who_has_none_of_the_roles_is_refused_and_decides_nothing() {
    RunHandle<Receipt> run = startWaiting(ASK);
    String id = open().id();

    for (Verdict verdict :
        List.of(Verdict.approve("eve"), Verdict.approve("eve").roles("intern", "Finance"))) {
      assertThatThrownBy(() -> hapax.approvals().decide(id, verdict))
          .isInstanceOf(Forbidden.class)
          .hasMessageContaining("'eve'");
    }

    assertThat(open().state()).isEqualTo(WaitState.OPEN);
    assertThat(types(run)).doesNotContain("answer-ignored");
  }

  @Test
  void a_decision_says_who_decided() {
    startWaiting(ASK);
    String id = open().id();

    for (String actor : List.of("", " ", "\u0000")) {
      assertThatThrownBy(() -> hapax.approvals().decide(id, approve(actor)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> hapax.approvals().decide("e-1", approve("ann")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> hapax.approvals().decide("w-1", approve("ann")))
        .isInstanceOf(NotFound.class);
  }

  @Test
  void of_two_decisions_at_once_one_wins_and_both_hear_it() throws InterruptedException {
    var flow = register(asking(ASK));
    for (int i = 0; i < 20; i++) {
      RunHandle<Receipt> run = hapax.start(flow, order("order-" + i));
      awaitReleased(run);
      String id = open().id();
      var begin = new CountDownLatch(1);
      List<Approvals.Receipt> receipts = Collections.synchronizedList(new ArrayList<>());
      List<Thread> deciders = new ArrayList<>();
      for (Verdict verdict :
          List.of(approve("ann"), Verdict.reject("bob").roles("boss").comment("no"))) {
        deciders.add(
            Thread.startVirtualThread(
                () -> {
                  awaitUninterruptibly(begin);
                  receipts.add(hapax.approvals().decide(id, verdict));
                }));
      }
      begin.countDown();
      for (Thread decider : deciders) {
        decider.join();
      }

      assertThat(receipts).extracting(Approvals.Receipt::isFirst).containsOnlyOnce(true);
      assertThat(receipts.getFirst().decision()).isEqualTo(receipts.getLast().decision());
      eventually(() -> hapax.run(run.id()).status().isEnd());
      assertThat(hapax.run(run.id()).status() == RunStatus.SUCCEEDED)
          .isEqualTo(decisionOf(receipts.getFirst()).approves());
    }
  }

  @Test
  void a_rejection_fails_the_run_and_a_retry_asks_again() {
    RunHandle<Receipt> run = startWaiting(ASK);
    String first = open().id();
    hapax
        .approvals()
        .decide(first, Verdict.reject("bob").roles("boss").comment("the total is wrong"));
    assertThatThrownBy(run::await)
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("bob rejected step 'release': the total is wrong")
        .extracting(e -> ((RunFailed) e).code())
        .isEqualTo("rejected");

    hapax.retry(run.id(), "ann");
    eventually(() -> !hapax.approvals().list(hapax.approvals().open()).isEmpty());

    assertThat(open().id()).isNotEqualTo(first);
    assertThat(decisionOf(hapax.approvals().decide(first, approve("ann"))).by()).isEqualTo("bob");
    hapax.approvals().decide(open().id(), approve("ann"));
    awaitStatus(run, RunStatus.SUCCEEDED);
  }

  @Test
  void a_rejection_can_be_gone_on_with() {
    RunHandle<Receipt> run = startWaiting(ASK.onReject(Approval.OnReject.CONTINUE));

    hapax.approvals().decide(open().id(), Verdict.reject("bob").roles("boss"));

    assertThat(run.await().key()).isEqualTo("reject by bob");
  }

  @Test
  void a_cancel_that_comes_in_the_moment_of_expiry_ends_the_run() {
    RunHandle<Receipt> run = startWaiting(ASK.expires(Duration.ofDays(3)));
    long number = hapax.run(run.id()).number();
    var wish = new Change.RequestCancel(new Run.Cancel("ann", "too late", true));
    var cancel = new Group(1, time.now(), new Head.NotEnded(number), List.of(wish), null);
    process.beforeCommit(
        batch -> {
          boolean expires =
              batch.groups().stream()
                  .flatMap(group -> group.changes().stream())
                  .anyMatch(Change.ExpireWait.class::isInstance);
          if (expires) {
            process.commitOf(new Batch(List.of(cancel)));
          }
        });

    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(types(run)).doesNotContain("approval-decided", "wait-settled");
  }

  @Test
  void an_approval_without_a_decision_expires_as_a_rejection() {
    RunHandle<Receipt> run = startWaiting(ASK.expires(Duration.ofDays(3)));
    String id = open().id();

    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status().isEnd());

    assertThat(errorOf(run).code()).isEqualTo("rejected");
    assertThat(errorOf(run).message()).contains("in time");
    Approvals.Receipt late = hapax.approvals().decide(id, approve("ann"));
    assertThat(late.state()).isEqualTo(WaitState.EXPIRED);
    assertThat(decisionOf(late).decision()).isEqualTo(Decision.Choice.REJECT);
  }

  @Test
  void an_expiry_can_mean_approval() {
    RunHandle<Receipt> run =
        startWaiting(ASK.expires(Duration.ofDays(3)).onExpire(Approval.OnExpire.APPROVE));

    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status().isEnd());

    assertThat(run.await().key()).isEqualTo("approve by null");
  }

  @Test
  void a_canceled_run_asks_for_no_approval_any_more() {
    RunHandle<Receipt> run = startWaiting(ASK);
    String id = open().id();

    hapax.cancel(run.id(), "ann", null);

    assertThat(hapax.approvals().list(hapax.approvals().open())).isEmpty();
    Approvals.Receipt receipt = hapax.approvals().decide(id, approve("ann"));
    assertThat(receipt.state()).isEqualTo(WaitState.CLOSED);
    assertThat(receipt.decision()).isNull();
    awaitStatus(run, RunStatus.CANCELED);
  }

  @Test
  void a_run_that_timed_out_asks_again_when_it_is_retried() {
    var flow =
        register(
            orders("hasty")
                .timeout(Duration.ofHours(1))
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(), String.valueOf(run.approval("release", ASK).by()))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitReleased(run);
    String first = open().id();
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.FAILED);
    assertThat(hapax.approvals().decide(first, approve("ann")).state()).isEqualTo(WaitState.CLOSED);

    hapax.retry(run.id(), "ann");
    eventually(() -> !hapax.approvals().list(hapax.approvals().open()).isEmpty());
    hapax.approvals().decide(open().id(), approve("ann"));

    awaitStatus(run, RunStatus.SUCCEEDED);
  }

  @Test
  void a_corrected_input_is_approved_anew() {
    var fails = new AtomicInteger(1);
    var flow =
        register(
            orders("corrected")
                .body(
                    (run, order) -> {
                      Decision decision =
                          run.approval("release", Approval.ask("Pay " + order.total() + "?"));
                      if (fails.getAndDecrement() > 0) {
                        throw new IllegalStateException("the total is wrong");
                      }
                      return new Receipt(order.id(), String.valueOf(decision.by()));
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitReleased(run);
    hapax.approvals().decide(open().id(), approve("ann"));
    awaitStatus(run, RunStatus.FAILED);

    hapax.retry(run.id(), "ann", flow, new Order("A", 45));
    eventually(() -> !hapax.approvals().list(hapax.approvals().open()).isEmpty());

    assertThat(open().ask()).isEqualTo("Pay 45?");
  }

  @Test
  void a_rework_is_refused_where_there_are_no_rounds() {
    startWaiting(ASK);
    String id = open().id();

    assertThatThrownBy(
            () -> hapax.approvals().decide(id, Verdict.rework("ann", "again").roles("finance")))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Approve or reject it");

    assertThat(open().state()).isEqualTo(WaitState.OPEN);
  }

  @Test
  void waiting_for_people_costs_one_commit_and_survives_a_crash() {
    var flow = register(asking(ASK));
    var commits = new AtomicInteger();
    process.beforeCommit(_ -> commits.incrementAndGet());
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitReleased(run);
    assertThat(commits).hasValue(1);

    crash(asking(ASK));
    hapax.approvals().decide(open().id(), approve("ann"));

    awaitStatus(run, RunStatus.SUCCEEDED);
  }

  @Test
  void bad_approvals_are_refused_where_they_are_made() {
    assertThatThrownBy(() -> Approval.ask(" ")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Approval.ask("ok?").roles("")).hasMessageContaining("role");
    assertThatThrownBy(() -> Approval.ask("ok?").expires(Duration.ZERO))
        .hasMessageContaining("expiry");
  }
}
