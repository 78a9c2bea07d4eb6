package dev.hapax.testkit.contract;

import static dev.hapax.testkit.contract.Answers.withoutWoken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Held;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * After an unknown commit the same batch is submitted again, and lands once: groups that have
 * landed answer as before, and nothing in them is evaluated again. Only the woken runs are not
 * returned a second time; they are due, and found by that.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class UnknownCommitContract extends StoreContract {

  @Test
  void an_insert_lands_once() {
    NewRun run = newRun("A-1");
    Group insert = insert(run, OWNER, create(run, "K").claim());
    Landed first = land(insert);

    Landed again = land(insert);

    assertThat(again).isEqualTo(first);
    assertThat(store.journal(run.number())).hasSize(1);
  }

  @Test
  void an_insert_without_entries_lands_once() {
    NewRun run = newRun("A-1");
    Group insert = withoutEntries(insert(run, OWNER));
    land(insert);
    Run before = stored(run);

    Landed again = land(insert);

    assertThat(again.answers()).isEmpty();
    assertThat(stored(run)).isEqualTo(before);
    assertThat(store.journal(run.number())).isEmpty();
  }

  @Test
  void an_insert_answers_as_it_did_after_the_run_went_on_and_ended() {
    done(create(running("A-1"), "K"), "7");
    NewRun run = newRun("A-2");
    Group insert = insert(run, OWNER, create(run, "K").claim());
    Landed first = land(insert);
    land(next(run, create(run, "L").claim()));
    land(next(run, new Change.End(RunStatus.SUCCEEDED, null, null)));
    Run ended = stored(run);

    Landed again = land(insert);

    assertThat(first.answers()).hasOnlyElementsOfType(Reused.class);
    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(stored(run)).isEqualTo(ended);
    assertThat(store.journal(run.number())).hasSize(3);
  }

  @Test
  void an_insert_without_entries_does_not_take_a_later_groups_answers_for_its_own() {
    done(create(running("A-1"), "K"), "7");
    NewRun run = newRun("A-2");
    Group insert = withoutEntries(insert(run, OWNER));
    land(insert);
    claim(create(run, "K"));

    Landed again = land(insert);

    assertThat(again.answers()).isEmpty();
  }

  @Test
  void a_group_of_the_owner_lands_once() {
    NewRun run = running("A-1");
    Granted granted = granted(create(run, "K"));
    Group group = next(run, new Change.Attempt(granted.effect(), 1, 2), create(run, "L").claim());
    Landed first = land(group);

    Landed again = land(group);

    assertThat(again).isEqualTo(first);
    assertThat(store.journal(run.number())).hasSize(2);
  }

  @Test
  void a_group_that_ended_the_run_lands_once() {
    NewRun run = running("A-1");
    Group end = next(run, new Change.End(RunStatus.SUCCEEDED, "42", null));
    land(end);

    Landed again = land(end);

    assertThat(again.answers()).isEmpty();
    assertThat(stored(run).output()).isEqualTo("42");
  }

  @Test
  void a_group_answers_as_it_did_after_the_run_went_to_another_owner() {
    NewRun run = running("A-1");
    Group release = next(run, new Change.Release(RunStatus.WAITING, null));
    land(release);
    land(unowned(run, 1, new Change.Take(OTHER_OWNER)));

    Landed again = land(release);

    assertThat(again.answers()).isEmpty();
    assertThat(stored(run).owner()).isEqualTo(OTHER_OWNER);
  }

  @Test
  void a_claim_that_was_held_is_still_answered_so_after_the_effect_was_settled() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun waiter = running("A-2");
    Group claiming = next(waiter, create(waiter, "K").claim());
    Landed first = land(claiming);
    land(next(owner, held.done(granted, "7")));

    Landed again = land(claiming);

    assertThat(again.answers())
        .isEqualTo(first.answers())
        .containsExactly(new Held(granted.effect(), owner.id().toString(), EffectState.PENDING));
  }

  @Test
  void a_claim_that_was_granted_is_not_granted_again_after_it_was_settled() {
    NewRun run = running("A-1");
    Intent intent = create(run, "K");
    Group claiming = next(run, intent.claim());
    Granted granted = (Granted) land(claiming).answers().getFirst();
    land(next(run, intent.done(granted, "7")));

    Landed again = land(claiming);

    assertThat(again.answers()).containsExactly(granted);
    assertThat(storedEffect(granted.effect()).state()).isEqualTo(EffectState.DONE);
    assertThat(storedEffect(granted.effect()).revision()).isEqualTo(1);
  }

  @Test
  void an_outcome_lands_once_after_the_effect_went_to_another_run() {
    NewRun run = running("A-1");
    Granted failed = granted(create(run, "K"));
    Group failing = next(run, outcome(failed, EffectState.FAILED));
    land(failing);
    Granted next = granted(create(running("A-2"), "K"));

    Landed again = land(failing);

    assertThat(again.answers()).isEmpty();
    assertThat(storedEffect(next.effect()).state()).isEqualTo(EffectState.PENDING);
    assertThat(storedEffect(next.effect()).revision()).isEqualTo(2);
  }

  @Test
  void a_take_with_entries_lands_once() {
    NewRun run = waiting("A-1");
    Group take = unowned(run, 0, new Change.Take(OWNER));
    land(take);

    Landed again = land(take);

    assertThat(again.answers()).isEmpty();
    assertThat(store.journal(run.number())).hasSize(1);
  }

  @Test
  void a_take_without_entries_lands_once() {
    NewRun run = waiting("A-1");
    Group take = withoutEntries(unowned(run, 0, new Change.Take(OWNER)));
    land(take);

    Landed again = land(take);

    assertThat(again.answers()).isEmpty();
    assertThat(stored(run).owner()).isEqualTo(OWNER);
  }

  @Test
  void a_take_that_lost_to_another_owner_stays_lost() {
    NewRun run = waiting("A-1");
    Group take = withoutEntries(unowned(run, 0, new Change.Take(OWNER)));
    land(withoutEntries(unowned(run, 0, new Change.Take(OTHER_OWNER))));

    assertThat(commit(take)).isEqualTo(new Lost());
    assertThat(commit(take)).isEqualTo(new Lost());

    assertThat(stored(run).owner()).isEqualTo(OTHER_OWNER);
  }

  @Test
  void a_reopening_lands_once() {
    NewRun run = running("A-1");
    land(next(run, new Change.End(RunStatus.FAILED, null, null)));
    Group reopen = unowned(run, 1, new Change.Reopen(null, null, null));
    land(reopen);
    land(withoutEntries(unowned(run, 2, new Change.Take(OWNER))));

    land(reopen);

    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(stored(run).owner()).isEqualTo(OWNER);
  }

  @Test
  void a_wish_can_be_sent_again() {
    NewRun run = waiting("A-1");
    Group wish = notEnded(run, new Change.RequestCancel(new Run.Cancel("ann", null)));
    land(wish);
    Run before = stored(run);

    land(wish);

    assertThat(stored(run)).isEqualTo(before);
  }

  @Test
  void a_count_of_duplicates_lands_once() {
    NewRun run = running("A-1");
    Group count = always(new Change.CountDuplicates(run.number(), 2));
    land(count);

    land(count);

    assertThat(stored(run).duplicates()).isEqualTo(2);
  }

  @Test
  void another_group_at_the_same_place_is_lost_and_stays_lost() {
    NewRun run = running("A-1");
    Group mine = owned(run, 0);
    Group theirs = owned(run, 0, new Change.End(RunStatus.SUCCEEDED, null, null));
    land(mine);

    assertThat(commit(theirs)).isEqualTo(new Lost());
    assertThat(commit(theirs)).isEqualTo(new Lost());

    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void a_chain_of_one_run_lands_once_wherever_it_was_cut() {
    for (int landed = 0; landed <= 4; landed++) {
      NewRun run = newRun("chain " + landed);
      Intent intent = create(run, "chain " + landed);
      var granted = new Granted(intent.toClaim().number(), 1);
      List<Group> groups =
          List.of(
              insert(run, OWNER, intent.claim()),
              owned(run, 1, new Change.Attempt(granted.effect(), 1, 2)),
              owned(run, 2, intent.done(granted, "7")),
              owned(run, 3, new Change.End(RunStatus.SUCCEEDED, "7", null)));
      store.commit(new Batch(groups.subList(0, landed)));

      var answers = store.commit(new Batch(groups));
      var again = store.commit(new Batch(groups));

      assertThat(answers)
          .as("%d of the groups had landed", landed)
          .containsExactly(
              new Landed(List.of(granted), List.of()),
              new Landed(List.of(granted), List.of()),
              new Landed(List.of(), List.of()),
              new Landed(List.of(), List.of()));
      assertThat(again).isEqualTo(answers);
      assertThat(store.journal(run.number())).hasSize(4);
      assertThat(stored(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    }
  }

  @Test
  void a_mixed_batch_lands_once_whichever_of_its_groups_had_landed() {
    int size = mixedBatch("size").size();
    for (int mask = 0; mask < 1 << size; mask++) {
      List<Group> groups = mixedBatch("mask " + mask);
      List<Group> before = chosen(groups, mask);
      List<GroupAnswer> first = store.commit(new Batch(before));

      List<GroupAnswer> answers = store.commit(new Batch(groups));
      List<GroupAnswer> again = store.commit(new Batch(groups));

      assertThat(withoutWoken(chosen(answers, mask)))
          .as("the groups of mask %d had landed", mask)
          .isEqualTo(withoutWoken(first));
      assertThat(withoutWoken(again)).isEqualTo(withoutWoken(answers));
      assertThat(answers.subList(0, size - 1)).hasOnlyElementsOfType(Landed.class);
      assertThat(answers.getLast()).isEqualTo(new Lost());
    }
  }

  /** Groups of seven runs that do not need one another: six land, the last is lost. */
  private List<Group> mixedBatch(String name) {
    done(create(running(name + " source"), name + " done"), "7");
    NewRun inserted = newRun(name + " inserted");
    NewRun queued = newRun(name + " queued");
    NewRun reusing = running(name + " reusing");
    NewRun settling = running(name + " settling");
    Intent intent = create(settling, name + " settled");
    Granted granted = granted(intent);
    NewRun taken = waiting(name + " taken");
    NewRun released = running(name + " released");
    NewRun lost = waiting(name + " lost");
    return List.of(
        insert(inserted, OWNER, create(inserted, name + " fresh").claim()),
        insert(queued, null),
        next(reusing, create(reusing, name + " done").claim()),
        next(settling, intent.done(granted, "8"), create(settling, name + " next").claim()),
        withoutEntries(unowned(taken, 0, new Change.Take(OWNER))),
        next(released, new Change.Release(RunStatus.WAITING, now)),
        owned(lost, 0, create(lost, name + " lost").claim()));
  }

  private static <T> List<T> chosen(List<T> all, int mask) {
    List<T> chosen = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if ((mask >> i & 1) == 1) {
        chosen.add(all.get(i));
      }
    }
    return chosen;
  }
}
