package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer.Spawned;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import org.junit.jupiter.api.Test;

/** A run that begins in another run's commit. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class SpawnContract extends StoreContract {

  @Test
  void it_begins_queued_and_is_due_at_once() {
    NewRun parent = running("A-1");
    NewRun child = newRun("A-1/mail");

    Landed landed = land(next(parent, new Change.Spawn(child)));

    assertThat(landed.answers()).containsExactly(new Spawned(child.number(), true, true));
    assertThat(landed.woken()).containsExactly(child.number());
    assertThat(stored(child).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(due()).containsExactly(child.number());
  }

  @Test
  void a_key_that_has_a_run_keeps_it() {
    NewRun parent = running("A-1");
    NewRun there = waiting("B");
    NewRun same = newRun("B");
    NewRun other = newRun(TENANT, FLOW, "B", "{\"order\":\"another\"}");

    Landed landed = land(next(parent, new Change.Spawn(same), new Change.Spawn(other)));

    assertThat(landed.answers())
        .containsExactly(
            new Spawned(there.number(), false, true), new Spawned(there.number(), false, false));
    assertThat(landed.woken()).isEmpty();
    assertThat(stored(there).status()).isEqualTo(RunStatus.WAITING);
    assertThat(store.run(same.number())).isNull();
  }

  @Test
  void a_group_that_is_lost_spawns_nothing() {
    NewRun parent = running("A-1");
    NewRun child = newRun("A-1/mail");

    assertThat(commit(owned(parent, 7, new Change.Spawn(child)))).isEqualTo(new Lost());

    assertThat(store.find(child.id())).isNull();
  }

  @Test
  void a_batch_that_is_submitted_again_spawns_once_and_answers_the_same() {
    NewRun parent = running("A-1");
    NewRun child = newRun("A-1/mail");
    Group group = next(parent, new Change.Spawn(child));

    Landed first = land(group);
    Landed again = land(group);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(store.journal(parent.number())).hasSize(1);
  }

  @Test
  void beside_a_run_it_is_recognised_by_its_number() {
    NewRun spawned = newRun("nightly");
    Group group = always(new Change.Spawn(spawned));

    Landed first = land(group);
    Landed again = land(group);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(stored(spawned).key()).isEqualTo("nightly");
  }
}
