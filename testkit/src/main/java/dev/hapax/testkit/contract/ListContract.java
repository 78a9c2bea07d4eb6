package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists are filtered, paged, newest first, and of one tenant only. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ListContract extends StoreContract {

  @Test
  void runs_come_newest_first() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");

    assertThat(store.runs(RunFilter.of(TENANT))).containsExactly(stored(two), stored(one));
  }

  @Test
  void runs_are_filtered_by_flow_key_and_status() {
    NewRun one = running("A-1");
    NewRun waits = waiting("A-2");
    NewRun otherFlow = newRun(TENANT, "refund-order", "A-1", "{}");
    land(insert(otherFlow, OWNER));

    var byFlow = store.runs(new RunFilter(TENANT, FLOW, null, null, null, 10));
    var byBeginning = store.runs(new RunFilter(TENANT, "charge*", null, null, null, 10));
    var byKey = store.runs(new RunFilter(TENANT, null, "A-1", null, null, 10));
    var byBoth = store.runs(new RunFilter(TENANT, FLOW, "A-1", null, null, 10));
    var byStatus = store.runs(RunFilter.of(TENANT).status(RunStatus.WAITING));
    Set<RunStatus> open = Set.of(RunStatus.RUNNING, RunStatus.WAITING);
    var byStatuses = store.runs(new RunFilter(TENANT, FLOW, null, null, null, 10).anyOf(open));
    var byNone = store.runs(RunFilter.of(TENANT).anyOf(Set.of(RunStatus.QUEUED, RunStatus.REVIEW)));
    var byRelease = store.runs(RunFilter.of(TENANT).notOfRelease(one.release() + 1));
    var byOtherRelease = store.runs(RunFilter.of(TENANT).notOfRelease(one.release()));

    assertThat(byFlow).containsExactly(stored(waits), stored(one));
    assertThat(byBeginning).containsExactly(stored(waits), stored(one));
    assertThat(byKey).containsExactly(stored(otherFlow), stored(one));
    assertThat(byBoth).containsExactly(stored(one));
    assertThat(byStatus).containsExactly(stored(waits));
    assertThat(byStatuses).containsExactly(stored(waits), stored(one));
    assertThat(byNone).isEmpty();
    assertThat(byRelease).hasSize(3);
    assertThat(byOtherRelease).isEmpty();
  }

  @Test
  void pages_of_runs_hold_each_run_once() {
    for (int i = 1; i <= 7; i++) {
      running("A-" + i);
    }

    List<Run> paged = new ArrayList<>();
    Long before = null;
    for (int page = 1; page <= 3; page++) {
      paged.addAll(runs(before));
      before = paged.getLast().number();
    }

    assertThat(paged)
        .extracting(Run::key)
        .containsExactly("A-7", "A-6", "A-5", "A-4", "A-3", "A-2", "A-1");
    assertThat(runs(before)).isEmpty();
  }

  @Test
  void a_run_that_changed_stays_in_its_place() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");

    land(next(one, new Change.End(RunStatus.SUCCEEDED, null, null)));

    assertThat(store.runs(RunFilter.of(TENANT))).containsExactly(stored(two), stored(one));
  }

  @Test
  void effects_come_newest_first() {
    NewRun run = running("A-1");
    long first = granted(create(run, "1")).effect();
    long second = granted(create(run, "2")).effect();

    assertThat(store.effects(EffectFilter.of(TENANT)))
        .containsExactly(storedEffect(second), storedEffect(first));
  }

  @Test
  void effects_are_filtered_by_name_key_and_state() {
    NewRun run = running("A-1");
    long charge = granted(create(run, "K")).effect();
    long mail = granted(create(run, "K").name("mail")).effect();
    long inReview = settled(create(run, "L"), EffectState.REVIEW).effect();

    var byName = store.effects(new EffectFilter(TENANT, "charge", null, null, null, 10));
    var byKey = store.effects(new EffectFilter(TENANT, null, "K", null, null, 10));
    var byBoth = store.effects(new EffectFilter(TENANT, "mail", "K", null, null, 10));
    var byState = store.effects(EffectFilter.of(TENANT).state(EffectState.REVIEW));

    assertThat(byName).extracting(EffectRecord::number).containsExactly(inReview, charge);
    assertThat(byKey).extracting(EffectRecord::number).containsExactly(mail, charge);
    assertThat(byBoth).extracting(EffectRecord::number).containsExactly(mail);
    assertThat(byState).extracting(EffectRecord::number).containsExactly(inReview);
  }

  @Test
  void pages_of_effects_hold_each_effect_once() {
    NewRun run = running("A-1");
    List<Long> newestFirst = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      newestFirst.addFirst(granted(create(run, "K-" + i)).effect());
    }

    List<EffectRecord> paged = new ArrayList<>();
    Long before = null;
    for (int page = 1; page <= 3; page++) {
      paged.addAll(effects(before));
      before = paged.getLast().number();
    }

    assertThat(paged).extracting(EffectRecord::number).isEqualTo(newestFirst);
    assertThat(effects(before)).isEmpty();
  }

  @Test
  void tenants_never_see_each_other() {
    NewRun ours = running("A-1");
    granted(create(ours, "K"));

    assertThat(store.runs(RunFilter.of("globex"))).isEmpty();
    assertThat(store.effects(EffectFilter.of("globex"))).isEmpty();
  }

  private List<Run> runs(@Nullable Long before) {
    return store.runs(new RunFilter(TENANT, null, null, null, before, 3));
  }

  private List<EffectRecord> effects(@Nullable Long before) {
    return store.effects(new EffectFilter(TENANT, null, null, null, before, 3));
  }
}
