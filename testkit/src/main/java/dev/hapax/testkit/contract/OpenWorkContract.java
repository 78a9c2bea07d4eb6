package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.DeciderLimits;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.OpenWork;
import dev.hapax.time.IdSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is open is counted, over all tenants; what has ended is not. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class OpenWorkContract extends StoreContract {

  @Test
  void an_empty_store_has_nothing_open() {
    assertThat(store.tenants().open(10))
        .isEqualTo(new OpenWork(List.of(), List.of(), 0, 0, 0, null, 0));
  }

  @Test
  void open_runs_are_counted_by_status_and_flow() {
    running("A-1");
    waiting("A-2");
    waiting("A-3");
    NewRun other = newRun("globex", "refund-order", "A-1", "{}");
    land(insert(other, OWNER));
    land(next(other, new Change.Release(RunStatus.WAITING, null)));
    NewRun ended = running("A-4");
    land(next(ended, new Change.End(RunStatus.SUCCEEDED, null, null)));
    NewRun failed = running("A-5");
    land(next(failed, new Change.End(RunStatus.FAILED, null, null)));

    OpenWork open = store.tenants().open(10);
    OpenWork newest = store.tenants().open(1);

    assertThat(open.runs())
        .containsExactlyInAnyOrder(
            new OpenWork.Runs(null, RunStatus.RUNNING, 1),
            new OpenWork.Runs(null, RunStatus.WAITING, 3));
    assertThat(open.byFlow())
        .containsExactlyInAnyOrder(
            new OpenWork.Runs(FLOW, RunStatus.RUNNING, 1),
            new OpenWork.Runs(FLOW, RunStatus.WAITING, 2),
            new OpenWork.Runs("refund-order", RunStatus.WAITING, 1));
    assertThat(newest.runs()).isEqualTo(open.runs());
    assertThat(newest.byFlow())
        .containsExactlyInAnyOrder(
            new OpenWork.Runs(FLOW, RunStatus.RUNNING, 1),
            new OpenWork.Runs("refund-order", RunStatus.WAITING, 1));
  }

  @Test
  void doubts_and_reviews_are_counted() {
    NewRun run = running("A-1");
    settled(create(run, "K-1"), EffectState.REVIEW);
    settled(create(run, "K-2"), EffectState.DOUBT);
    settled(create(run, "K-3"), EffectState.DOUBT);
    settled(create(run, "K-4"), EffectState.DONE);

    OpenWork open = store.tenants().open(10);

    assertThat(open.reviews()).isEqualTo(1);
    assertThat(open.doubts()).isEqualTo(2);
  }

  @Test
  void open_approvals_are_counted_and_the_oldest_has_its_time() {
    NewRun run = running("A-1");
    Wait first = approval(run, "first");
    Wait second = approval(run, "second");
    land(next(run, new Change.OpenWait(first), new Change.OpenWait(second)));

    OpenWork open = store.tenants().open(10);

    assertThat(open.approvals()).isEqualTo(2);
    assertThat(open.oldestApproval()).isEqualTo(IdSource.timeOf(first.number()));
  }

  private Wait approval(NewRun run, String step) {
    var question =
        new Wait.Question(
            "Send it?",
            List.of(),
            true,
            "{\"decision\":\"reject\"}",
            new DeciderLimits(true, false));
    return Wait.approval(
        nextNumber(), TENANT, run.number(), new Step(step, null), question, now, null, 2);
  }
}
