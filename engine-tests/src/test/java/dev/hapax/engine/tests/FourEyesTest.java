package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Caller;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Forbidden;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Approvals that the starter of a run cannot decide, and those that need a proven identity. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class FourEyesTest extends EngineTest {
  private static final Caller ANN = new Caller("token:1", "ann");
  private static final Approval ASK = Approval.ask("Pay it?").notByStarter();

  private static Flow<Order, Receipt> asking(Approval approval) {
    return orders("asking")
        .body(
            (run, order) -> {
              Decision decision = run.approval("release", approval);
              return new Receipt(order.id(), decision.decision().word() + " by " + decision.by());
            });
  }

  private RunHandle<Receipt> start(Flow<Order, Receipt> flow, @Nullable Caller caller) {
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"), null, caller);
    awaitReleased(run);
    return run;
  }

  private String open() {
    List<Approvals.Item> open = hapax.approvals().list(hapax.approvals().open());
    assertThat(open).hasSize(1);
    return open.getFirst().id();
  }

  private void refuses(Verdict verdict, String because) {
    assertThatThrownBy(() -> hapax.approvals().decide(open(), verdict))
        .isInstanceOf(Forbidden.class)
        .hasMessageContaining(because);
  }

  @Test
  void the_starter_decides_nothing_by_another_token_or_another_name() {
    RunHandle<Receipt> run = start(asking(ASK), ANN);

    refuses(Verdict.approve("ann"), "'ann' has started the run");
    refuses(Verdict.approve("ann").actorId("token:2"), "needs another person");
    refuses(Verdict.reject("Ann B.").actorId("token:1"), "needs another person");
    refuses(Verdict.rework("ann", "more"), "needs another person");
    refuses(Verdict.approve("bob").claimed(), "needs the token of the person who decides");

    hapax.approvals().decide(open(), Verdict.approve("bob").actorId("token:3"));
    assertThat(run.await().key()).isEqualTo("approve by bob");
    assertThat(hapax.run(run.id()).startedBy()).isEqualTo(ANN);
    assertThat(entry(run, "accepted").decision()).contains("started by ann (token:1)");
    assertThat(entry(run, "approval-asked").evidence()).contains("not by the starter of the run");
  }

  @Test
  void the_starter_of_the_parent_counts_for_its_children() {
    Flow<Order, Receipt> child = register(asking(ASK));
    var parent = orders("parent").body((run, order) -> run.call("child", child, order));
    RunHandle<Receipt> run = hapax.start(register(parent), order("A"), null, ANN);
    awaitReleased(run);
    awaitOpen();

    refuses(Verdict.approve("ann").actorId("token:1"), "needs another person");

    hapax.approvals().decide(open(), Verdict.approve("bob").actorId("token:3"));
    assertThat(run.await().key()).isEqualTo("approve by bob");
  }

  private void awaitOpen() {
    while (hapax.approvals().list(hapax.approvals().open()).isEmpty()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_person_who_corrected_the_input_counts_as_a_starter() {
    var isBroken = new AtomicBoolean(true);
    var flow =
        orders("asking")
            .body(
                (run, order) -> {
                  if (isBroken.get()) {
                    throw new IllegalStateException("not yet");
                  }
                  Decision decision = run.approval("release", ASK);
                  return new Receipt(order.id(), String.valueOf(decision.by()));
                });
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"), null, ANN);
    awaitEnd(run);
    isBroken.set(false);
    hapax.retry(run.id(), "eve", flow, order("A"));
    awaitOpen();

    refuses(Verdict.approve("eve").actorId("token:9"), "corrected its input");
    refuses(Verdict.approve("ann").actorId("token:1"), "needs another person");
    hapax.approvals().decide(open(), Verdict.approve("bob"));
    assertThat(run.await().key()).isEqualTo("bob");
  }

  @Test
  void a_decision_does_not_read_the_journals_of_items() {
    var flow =
        orders("asking")
            .body(
                (run, order) -> {
                  run.forEach(
                      "lines",
                      Each.of(List.of("a", "b", "c"), line -> line),
                      (item, line) -> item.step("pack", () -> line, String.class));
                  return new Receipt(order.id(), String.valueOf(run.approval("pay", ASK).by()));
                });
    RunHandle<Receipt> run = start(flow, ANN);
    int before = process.journalsRead();

    hapax.approvals().decide(open(), Verdict.approve("bob"));

    assertThat(run.await().key()).isEqualTo("bob");
    assertThat(process.journalsRead()).isEqualTo(before);
  }

  private void awaitEnd(RunHandle<Receipt> run) {
    while (hapax.run(run.id()).endedAt() == null) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_run_without_a_known_starter_needs_a_proven_identity_and_nothing_more() {
    RunHandle<Receipt> run = start(asking(ASK), null);

    refuses(Verdict.approve("ann").claimed(), "needs the token");
    hapax.approvals().decide(open(), Verdict.approve("ann"));
    assertThat(run.await().key()).isEqualTo("approve by ann");
  }

  @Test
  void an_approval_that_needs_a_token_is_not_decided_by_a_claimed_identity() {
    RunHandle<Receipt> run = start(asking(Approval.ask("Pay it?").requireToken()), ANN);

    refuses(Verdict.approve("bob").claimed(), "needs the token of the person who decides");
    hapax.approvals().decide(open(), Verdict.approve("ann").actorId("token:1"));
    assertThat(run.await().key()).isEqualTo("approve by ann");
  }

  @Test
  void a_claimed_identity_is_marked_in_the_decision_and_in_the_history() {
    RunHandle<Receipt> run = start(asking(Approval.ask("Pay it?")), ANN);
    String id = open();

    hapax.approvals().decide(id, Verdict.approve("somebody").claimed());

    assertThat(run.await().key()).isEqualTo("approve by somebody");
    assertThat(hapax.approvals().get(id).decision()).extracting(Decision::claimed).isEqualTo(true);
    assertThat(entry(run, "wait-settled").evidence())
        .isEqualTo("the identity is claimed, not proven");
  }
}
