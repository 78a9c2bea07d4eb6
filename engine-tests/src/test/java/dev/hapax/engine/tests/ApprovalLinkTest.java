package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.WaitState;
import dev.hapax.run.wait.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Links to approvals that a flow sends before it asks. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class ApprovalLinkTest extends EngineTest {
  private final List<String> mails = new CopyOnWriteArrayList<>();
  private final Map<String, String> links = new ConcurrentHashMap<>();

  private void mail(RunContext run, String key, String approval, @Nullable String approver) {
    String link = run.approvalLink(approval, approver);
    run.effect(
        "mail",
        Effect.notify(key).request(link).keyed(),
        (_, sent) -> {
          mails.add(sent);
          links.put(key, sent);
        });
  }

  private Flow<Order, Receipt> asking(@Nullable String approver) {
    return orders("asking")
        .body(
            (run, order) -> {
              mail(run, order.id(), "release", approver);
              Decision decision =
                  run.approval("release", Approval.ask("Send it?").expires(Duration.ofDays(2)));
              return new Receipt(order.id(), decision.decision().word());
            });
  }

  private String link(String key) {
    eventually(() -> links.containsKey(key));
    return Objects.requireNonNull(links.get(key));
  }

  private Approvals.Item asked(String link) {
    eventually(() -> hapax.approvals().linked(link).item() != null);
    return Objects.requireNonNull(hapax.approvals().linked(link).item());
  }

  @Test
  void a_link_leads_to_the_approval_that_its_run_asks_for_later() {
    RunHandle<Receipt> run = hapax.start(register(asking("ann@example.org")), order("A"));
    String link = link("A");
    Approvals.Item item = asked(link);
    Approvals.Linked linked = hapax.approvals().linked(link);

    assertThat(item.ask()).isEqualTo("Send it?");
    assertThat(item.run()).isEqualTo(run.id());
    assertThat(linked.approver()).isEqualTo("ann@example.org");
    assertThat(link).hasSize(52).doesNotContain(".");
    assertThat(hapax.approvals().list(hapax.approvals().open()))
        .as("the link itself is no approval")
        .hasSize(1);
    hapax.approvals().decide(item.id(), Verdict.approve("ann@example.org").claimed());

    assertThat(run.await().key()).isEqualTo("approve");
    assertThat(asked(link).state()).isEqualTo(WaitState.DECIDED);
    assertThat(types(run)).contains("approval-linked");
    assertThat(hapax.history(run.id()).toString()).doesNotContain(link);
  }

  @Test
  void the_link_is_durable_before_it_is_sent_and_stays_the_same_after_a_crash() {
    var dies = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        orders("asking")
            .body(
                (run, order) -> {
                  String link = run.approvalLink("release");
                  run.effect(
                      "mail",
                      Effect.notify(order.id()).request(link).keyed(),
                      (_, sent) -> {
                        assertThat(hapax.approvals().linked(sent).item())
                            .as("known before it is asked")
                            .isNull();
                        mails.add(sent);
                        if (mails.size() == 1) {
                          dies.countDown();
                          awaitUninterruptibly(new CountDownLatch(1));
                        }
                      });
                  run.approval("release", Approval.ask("Send it?"));
                  return new Receipt(order.id(), "done");
                });
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
    awaitUninterruptibly(dies);
    crash(flow);

    eventually(() -> mails.size() == 2);
    assertThat(Set.copyOf(mails)).hasSize(1);
    hapax.approvals().decide(asked(mails.getFirst()).id(), Verdict.approve("ann"));
    awaitStatus(run, RunStatus.SUCCEEDED);
  }

  @Test
  void each_approver_each_round_and_each_item_has_its_own_link() {
    Flow<Order, Receipt> flow =
        orders("many")
            .body(
                (run, order) -> {
                  run.forEach(
                      "lines",
                      Each.of(List.of("x", "y"), one -> one),
                      (item, one) ->
                          item.rounds(
                              "release",
                              2,
                              (round, rework) -> {
                                String number = rework == null ? "1" : "2";
                                for (String who : List.of("ann", "bob")) {
                                  String link = round.approvalLink("release", who);
                                  String key = one + number + who;
                                  round
                                      .item(who)
                                      .effect(
                                          "mail",
                                          Effect.notify(key).request(link).keyed(),
                                          (_, sent) -> {
                                            links.put(key, sent);
                                          });
                                }
                                return Approval.ask(one + " in round " + number);
                              }));
                  return new Receipt(order.id(), "done");
                });
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
    for (String one : List.of("x", "y")) {
      Approvals.Item first = asked(link(one + "1ann"));
      assertThat(first.ask()).isEqualTo(one + " in round 1");
      assertThat(asked(link(one + "1bob")).id()).isEqualTo(first.id());
      hapax.approvals().decide(first.id(), Verdict.rework("ann", "again"));
    }
    for (String one : List.of("x", "y")) {
      Approvals.Item second = asked(link(one + "2bob"));
      assertThat(second.ask()).isEqualTo(one + " in round 2");
      assertThat(asked(link(one + "1ann")).round())
          .as("an old link decides nothing new")
          .isEqualTo(1);
      hapax.approvals().decide(second.id(), Verdict.approve("bob"));
    }

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(Set.copyOf(links.values())).hasSize(8);
  }

  @Test
  void a_link_is_no_callback_and_a_callback_is_no_link() {
    Flow<Order, Receipt> flow =
        orders("both")
            .body(
                (run, order) -> {
                  links.put("callback", run.callback("paid"));
                  links.put("link", run.approvalLink("release"));
                  run.approval("release", Approval.ask("Send it?"));
                  return new Receipt(order.id(), "done");
                });
    hapax.start(register(flow), order("A"));
    asked(link("link"));

    assertThatThrownBy(() -> hapax.callbacks().answer(link("link"), "x"))
        .isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> hapax.approvals().linked(link("callback")))
        .isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> hapax.approvals().linked("a".repeat(52))).isInstanceOf(NotFound.class);
  }

  @Test
  void after_a_retry_the_same_link_leads_to_the_approval_that_is_asked_again() {
    RunHandle<Receipt> run = hapax.start(register(asking(null)), order("A"));
    Approvals.Item first = asked(link("A"));
    hapax.approvals().decide(first.id(), Verdict.reject("ann"));
    awaitStatus(run, RunStatus.FAILED);

    hapax.retry(run.id(), "ann");
    eventually(() -> asked(link("A")).state() == WaitState.OPEN);
    Approvals.Item second = asked(link("A"));
    assertThat(second.id()).isNotEqualTo(first.id());
    hapax.approvals().decide(second.id(), Verdict.approve("bob"));

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(mails).hasSize(1);
  }

  @Test
  void links_are_closed_with_their_run_and_an_expired_approval_is_shown_as_such() {
    RunHandle<Receipt> run = hapax.start(register(asking(null)), order("A"));
    asked(link("A"));
    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    assertThat(asked(link("A")).state()).isEqualTo(WaitState.EXPIRED);
    assertThat(process.waits().ofRun(hapax.run(run.id()).number())).noneMatch(Wait::isOpen);
  }

  @Test
  void an_approver_that_cannot_be_shown_is_refused() {
    for (String approver : List.of("", " ", "ann\nbob", "x".repeat(201))) {
      Flow<Order, Receipt> flow =
          orders("bad-" + approver.length())
              .body(
                  (run, order) -> {
                    run.approvalLink("release", approver);
                    return new Receipt(order.id(), "done");
                  });
      RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
      awaitStatus(run, RunStatus.FAILED);
      assertThat(errorOf(run).message()).contains("approver of approval 'release'");
    }
  }
}
