package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.DeciderLimits;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Digest;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer.Heard;
import dev.hapax.run.wait.Wait;
import dev.hapax.run.wait.WaitRule;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waits for callbacks and approvals: opened, awaited, answered, expired, closed. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class DecisionContract extends StoreContract {
  private static final Step PAID = new Step("paid", "7", 2);
  private static final String YES = "{\"decision\":\"approve\"}";
  private static final DeciderLimits LIMITS = new DeciderLimits(true, false);
  private static final String NO = "{\"decision\":\"reject\"}";

  private final Map<Long, Wait> approvals = new HashMap<>();

  @Test
  void a_wait_is_found_by_its_number_its_token_and_its_run() {
    NewRun run = running("A-1");
    Wait wait = callback(run, null);

    land(next(run, new Change.OpenWait(wait)));

    assertThat(store.waits().find(wait.number())).isEqualTo(wait);
    assertThat(store.waits().find(token("A-1"))).isEqualTo(wait);
    assertThat(store.waits().ofRun(run.number())).containsExactly(wait);
    assertThat(store.waits().find(token("another"))).isNull();
    assertThat(store.waits().find(nextNumber())).isNull();
  }

  @Test
  void a_token_that_has_a_wait_of_this_run_keeps_it() {
    NewRun run = running("A-1");
    Wait first = opened(run);

    land(next(run, new Change.OpenWait(callback(run, null))));

    assertThat(store.waits().ofRun(run.number())).containsExactly(first);
  }

  @Test
  void a_token_of_an_earlier_run_goes_over_to_the_new_one() {
    NewRun before = running("A-1");
    Wait old = opened(before);
    NewRun run = running("B-1");
    Wait wait =
        Wait.callback(nextNumber(), token("A-1"), TENANT, run.number(), PAID, now, false, null, 3);

    land(next(run, new Change.OpenWait(wait)));

    assertThat(store.waits().find(token("A-1"))).isEqualTo(wait);
    assertThat(stored(old).token()).isNull();
  }

  @Test
  void a_group_that_is_lost_opens_nothing() {
    NewRun run = running("A-1");
    Wait wait = callback(run, null);

    assertThat(commit(owned(run, 7, new Change.OpenWait(wait)))).isEqualTo(new Lost());

    assertThat(store.waits().find(wait.number())).isNull();
  }

  @Test
  void the_first_answer_decides_and_wakes_the_run_that_waits() {
    NewRun run = running("A-1");
    Wait wait = awaited(run, null);

    Landed landed = land(always(answer(wait, YES)));

    assertThat(landed.answers()).containsExactly(heard(wait, WaitState.DECIDED, YES, true));
    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(due()).containsExactly(run.number());
    assertThat(stored(wait).decision()).isEqualTo(YES);
    assertThat(stored(wait).by()).isEqualTo("ann");
  }

  @Test
  void a_later_answer_hears_the_first_is_kept_and_changes_nothing() {
    NewRun run = running("A-1");
    Wait wait = awaited(run, null);
    land(always(answer(wait, YES)));

    Landed landed = land(always(answer(wait, NO)));

    assertThat(landed.answers()).containsExactly(heard(wait, WaitState.DECIDED, YES, false));
    assertThat(landed.woken()).isEmpty();
    assertThat(stored(wait).laterAnswers()).isEqualTo(1);
    assertThat(store.waits().laterAnswers(run.number()))
        .containsExactly(new Wait.LaterAnswer(wait.number(), now, "ann", NO));
  }

  @Test
  void two_answers_in_one_batch_have_one_winner() {
    NewRun run = running("A-1");
    Wait wait = awaited(run, null);

    var answers = commit(always(answer(wait, NO)), always(answer(wait, YES)));

    assertThat(((Landed) answers.getFirst()).answers())
        .containsExactly(heard(wait, WaitState.DECIDED, NO, true));
    assertThat(((Landed) answers.getLast()).answers())
        .containsExactly(heard(wait, WaitState.DECIDED, NO, false));
  }

  @Test
  void a_batch_of_answers_that_is_submitted_again_answers_the_same_and_writes_once() {
    NewRun run = running("A-1");
    Wait wait = awaited(run, null);
    Group[] batch = {
      always(answer(wait, YES)), always(answer(wait, NO)), always(answer(wait, YES))
    };

    var first = commit(batch);
    Wait after = stored(wait);
    var again = commit(batch);

    assertThat(Answers.withoutWoken(again)).isEqualTo(Answers.withoutWoken(first));
    assertThat(stored(wait)).isEqualTo(after);
    assertThat(store.waits().laterAnswers(run.number())).hasSize(2);
  }

  @Test
  void not_more_than_a_bounded_number_of_later_answers_is_kept() {
    Wait wait = awaited(running("A-1"), null);
    for (int i = 0; i <= WaitRule.MOST_LATER_ANSWERS + 2; i++) {
      land(always(answer(wait, YES)));
    }

    assertThat(stored(wait).laterAnswers()).isEqualTo(WaitRule.MOST_LATER_ANSWERS);
  }

  @Test
  void an_answer_that_comes_before_its_run_is_kept_and_makes_it_due_when_it_gets_there() {
    NewRun run = running("A-1");
    Wait wait = opened(run);

    assertThat(land(always(answer(wait, YES))).woken()).isEmpty();
    assertThat(stored(run).dueAt()).isNull();
    Landed landed =
        land(
            next(
                run,
                new Change.AwaitWait(wait.number(), later(Duration.ofDays(1))),
                new Change.Release(RunStatus.WAITING, later(Duration.ofDays(1)))));

    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(due()).containsExactly(run.number());
    assertThat(stored(wait).expiresAt()).isNull();
  }

  @Test
  void an_answer_wakes_a_run_that_came_to_its_wait_later() {
    NewRun run = running("A-1");
    Wait wait = opened(run);
    Instant until = later(Duration.ofDays(1));
    land(
        next(
            run,
            new Change.AwaitWait(wait.number(), until),
            new Change.Release(RunStatus.WAITING, until)));

    assertThat(stored(wait).expiresAt()).isEqualTo(until);
    assertThat(land(always(answer(wait, YES))).woken()).containsExactly(run.number());
  }

  @Test
  void a_run_that_is_about_to_leave_does_not_miss_the_answer() {
    NewRun run = running("A-1");
    Wait wait = opened(run);
    land(next(run, new Change.AwaitWait(wait.number(), null)));

    assertThat(land(always(answer(wait, YES))).woken()).isEmpty(); // it is in memory
    Landed landed = land(next(run, new Change.Release(RunStatus.WAITING, null)));

    assertThat(landed.woken()).containsExactly(run.number());
  }

  @Test
  void a_wait_that_is_not_there_is_neither_awaited_nor_answered_nor_expired() {
    NewRun run = running("A-1");

    assertThat(commit(next(run, new Change.AwaitWait(7, null)))).isEqualTo(new Lost());
    assertThat(commit(always(new Change.AnswerWait(7, YES, null)))).isEqualTo(new Lost());
    assertThat(commit(always(new Change.ExpireWait(7)))).isEqualTo(new Lost());
  }

  @Test
  void a_wait_expires_at_its_time_and_not_before() {
    NewRun run = running("A-1");
    Wait wait = awaited(run, later(Duration.ofDays(1)));
    now = later(Duration.ofDays(1).minusMillis(1));
    assertThat(land(always(new Change.ExpireWait(wait.number()))).answers())
        .containsExactly(new Heard(wait.number(), WaitState.OPEN, null, null, null, false));

    now = later(Duration.ofMillis(1));
    Group group = always(new Change.ExpireWait(wait.number()));
    Landed landed = land(group);

    var expired = new Heard(wait.number(), WaitState.EXPIRED, NO, null, now, false);
    assertThat(landed.answers()).containsExactly(expired);
    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(land(group).answers()).isEqualTo(landed.answers());
    assertThat(land(always(answer(wait, YES))).answers()).containsExactly(expired);
  }

  @Test
  void an_expiry_after_the_decision_hears_the_decision() {
    Wait wait = awaited(running("A-1"), later(Duration.ofDays(1)));
    land(always(answer(wait, YES)));
    Instant decidedAt = now;
    now = later(Duration.ofDays(2));

    assertThat(land(always(new Change.ExpireWait(wait.number()))).answers())
        .containsExactly(new Heard(wait.number(), WaitState.DECIDED, YES, "ann", decidedAt, false));
  }

  @Test
  void an_answer_at_the_expiry_expires_the_wait_though_the_expiry_is_not_noted_yet() {
    NewRun run = running("A-1");
    Wait wait = awaited(run, later(Duration.ofDays(1)));
    now = later(Duration.ofDays(1));
    Group group = always(answer(wait, YES));

    Landed landed = land(group);

    assertThat(landed.answers())
        .containsExactly(new Heard(wait.number(), WaitState.EXPIRED, NO, null, now, false));
    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(land(group).answers()).isEqualTo(landed.answers());
    assertThat(stored(wait).laterAnswers()).isEqualTo(1);
  }

  @Test
  void a_cancellation_closes_what_is_open() {
    NewRun run = running("A-1");
    Wait open = awaited(run, null);
    Group group = notEnded(run, new Change.RequestCancel(new Run.Cancel("ann", null)));

    land(group);

    assertThat(stored(open).state()).isEqualTo(WaitState.CLOSED);
    Heard heard = (Heard) land(always(answer(open, YES))).answers().getFirst();
    assertThat(heard.state()).isEqualTo(WaitState.CLOSED);
    assertThat(heard.isFirst()).isFalse();
    assertThat(stored(open).decision()).isNull();
  }

  @Test
  void an_end_closes_what_is_open_and_keeps_what_is_decided() {
    NewRun run = running("A-1");
    Wait decided = approval(run, "finance", null);
    Wait open = approval(run, "finance", null);
    land(next(run, new Change.OpenWait(decided), new Change.OpenWait(open)));
    land(always(answer(decided, YES)));

    land(next(run, new Change.CloseWaits(false)));

    assertThat(stored(decided).state()).isEqualTo(WaitState.DECIDED);
    assertThat(stored(open).state()).isEqualTo(WaitState.CLOSED);
  }

  @Test
  void a_callback_that_comes_while_its_run_has_failed_is_kept_for_the_retry() {
    NewRun run = running("A-1");
    Wait wait = opened(run);
    Wait approval = approval(run, "finance", null);
    land(next(run, new Change.OpenWait(approval)));
    land(next(run, new Change.CloseWaits(true), new Change.End(RunStatus.FAILED, null, null)));

    Landed landed = land(always(answer(wait, YES)));

    assertThat(landed.answers()).containsExactly(heard(wait, WaitState.DECIDED, YES, true));
    assertThat(landed.woken()).isEmpty();
    assertThat(stored(approval).state()).isEqualTo(WaitState.CLOSED);
  }

  @Test
  void a_retry_opens_unanswered_callbacks_again() {
    NewRun run = running("A-1");
    Wait expired = callback(run, later(Duration.ofDays(1)));
    Wait approval = approval(run, "finance", later(Duration.ofDays(1)));
    land(next(run, new Change.OpenWait(expired), new Change.OpenWait(approval)));
    now = later(Duration.ofDays(1));
    land(always(new Change.ExpireWait(expired.number())));
    land(always(new Change.ExpireWait(approval.number())));
    long seq = store.journal(run.number()).size();
    land(owned(run, seq, new Change.End(RunStatus.FAILED, null, null)));

    land(unowned(run, seq + 1, new Change.Reopen(null, null, null)));

    assertThat(stored(expired).state()).isEqualTo(WaitState.OPEN);
    assertThat(stored(expired).expiresAt()).isNull();
    assertThat(stored(approval).state()).isEqualTo(WaitState.EXPIRED);
    Heard heard = (Heard) land(always(answer(expired, YES))).answers().getFirst();
    assertThat(heard.isFirst()).isTrue();
  }

  @Test
  void approvals_are_listed_by_tenant_role_and_state_in_pages() {
    NewRun run = running("A-1");
    Wait finance = approval(run, "finance", null);
    Wait legal = approval(run, "legal", null);
    Wait anybody = approval(run, null, null);
    land(
        next(
            run,
            new Change.OpenWait(finance),
            new Change.OpenWait(legal),
            new Change.OpenWait(anybody),
            new Change.OpenWait(callback(run, null))));
    land(always(answer(legal, YES)));
    var all = ApprovalFilter.of(TENANT);

    assertThat(listed(all)).containsExactly(anybody, legal, finance);
    assertThat(listed(all.state(WaitState.OPEN))).containsExactly(anybody, finance);
    assertThat(listed(all.role("legal"))).containsExactly(anybody, legal);
    assertThat(listed(all.limit(1))).containsExactly(anybody);
    assertThat(listed(all.before(anybody.number()).limit(1))).containsExactly(legal);
    assertThat(listed(all.ownedBy("other"))).isEmpty();
  }

  private List<Wait> listed(ApprovalFilter filter) {
    return store.waits().approvals(filter).stream()
        .map(wait -> Objects.requireNonNull(approvals.get(wait.number())))
        .toList();
  }

  private Wait callback(NewRun run, @Nullable Instant expiresAt) {
    return Wait.callback(
        nextNumber(),
        token(run.key()),
        TENANT,
        run.number(),
        PAID,
        now,
        expiresAt != null,
        expiresAt,
        0);
  }

  @Test
  void the_newest_approval_of_a_step_is_found_and_a_link_to_it_is_no_approval() {
    NewRun run = running("A-1");
    Step ofItem = new Step("release", "x", 2);
    Wait link = Wait.link(nextNumber(), token("link"), TENANT, run.number(), ofItem, "ann", now, 2);
    land(next(run, new Change.OpenWait(link)));
    assertThat(store.waits().approval(run.number(), ofItem)).isNull();

    Wait first = asked(run, ofItem);
    Wait second = asked(run, ofItem);
    Wait ofRun = asked(run, new Step("release", null));
    asked(run, new Step("release", "x"));
    asked(run, new Step("release", "", 2));

    assertThat(store.waits().approval(run.number(), ofItem)).isEqualTo(second);
    assertThat(store.waits().approval(run.number(), ofRun.step())).isEqualTo(ofRun);
    assertThat(store.waits().approval(run.number() + 1, ofItem)).isNull();
    assertThat(store.waits().find(token("link"))).isEqualTo(link);
    assertThat(store.waits().approvals(ApprovalFilter.of(TENANT)))
        .contains(first, second)
        .doesNotContain(link);
    land(next(run, new Change.CloseWaits(true)));
    assertThat(stored(link).state()).isEqualTo(WaitState.CLOSED);
  }

  private Wait asked(NewRun run, Step step) {
    var question = new Wait.Question("?", List.of(), false, NO, DeciderLimits.NONE);
    Wait wait = Wait.approval(nextNumber(), TENANT, run.number(), step, question, now, null, 0);
    land(next(run, new Change.OpenWait(wait)));
    return wait;
  }

  private Wait approval(NewRun run, @Nullable String role, @Nullable Instant expiresAt) {
    var question =
        new Wait.Question("Send it?", role == null ? List.of() : List.of(role), true, NO, LIMITS);
    Wait wait =
        Wait.approval(
            nextNumber(),
            TENANT,
            run.number(),
            new Step("release", null),
            question,
            now,
            expiresAt,
            2);
    approvals.put(wait.number(), wait);
    return wait;
  }

  /** Opens a callback that its run has not reached. */
  private Wait opened(NewRun run) {
    Wait wait = callback(run, null);
    land(next(run, new Change.OpenWait(wait)));
    return wait;
  }

  /** Opens a wait that its run, which is out of memory, has reached. */
  private Wait awaited(NewRun run, @Nullable Instant expiresAt) {
    var question = new Wait.Question("?", List.of(), false, NO, DeciderLimits.NONE);
    Wait wait =
        Wait.approval(nextNumber(), TENANT, run.number(), PAID, question, now, expiresAt, 0);
    land(next(run, new Change.OpenWait(wait), new Change.Release(RunStatus.WAITING, expiresAt)));
    return wait;
  }

  private Wait stored(Wait wait) {
    return Objects.requireNonNull(store.waits().find(wait.number()));
  }

  private static Fingerprint token(String text) {
    return Fingerprint.of(Digest.sha256(text));
  }

  private static Change.AnswerWait answer(Wait wait, String decision) {
    return new Change.AnswerWait(wait.number(), decision, "ann");
  }

  private Heard heard(Wait wait, WaitState state, String decision, boolean isFirst) {
    return new Heard(wait.number(), state, decision, "ann", now, isFirst);
  }
}
