package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.StepEntry.StepDone;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.store.JournalPages;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A journal is a row per commit, in order, and grows at its end only. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class JournalContract extends StoreContract {

  @Test
  void the_journal_begins_at_1_with_the_insert() {
    NewRun run = newRun("A-1");
    Group insert = insert(run, OWNER);

    land(insert);

    assertThat(store.journal(run.number())).containsExactly(row(run, 1, insert));
  }

  @Test
  void a_journal_that_did_not_begin_with_the_insert_begins_with_the_next_commit() {
    NewRun run = running("A-1");
    Group first = owned(run, 0);

    land(first);

    assertThat(store.journal(run.number())).containsExactly(row(run, 1, first));
  }

  @Test
  void rows_come_back_in_order_as_they_were_written() {
    NewRun run = newRun("A-1");
    Group insert = insert(run, OWNER);
    land(insert);
    now = later(Duration.ofSeconds(1));
    Group second =
        entries(owned(run, 1), new StepDone(new Step("price", "item-7"), "{\"total\":40.00}"));
    land(second);
    now = later(Duration.ofSeconds(1));
    Group third = owned(run, 2);

    land(third);

    assertThat(store.journal(run.number()))
        .containsExactly(row(run, 1, insert), row(run, 2, second), row(run, 3, third));
  }

  @Test
  void a_group_without_entries_adds_no_row() {
    NewRun run = running("A-1");

    land(withoutEntries(owned(run, 0, new Change.Release(RunStatus.WAITING, null))));

    assertThat(store.journal(run.number())).isEmpty();
    assertThat(stored(run).status()).isEqualTo(RunStatus.WAITING);
  }

  @Test
  void a_group_that_missed_a_row_is_lost() {
    NewRun run = running("A-1");
    land(owned(run, 0));

    assertThat(commit(owned(run, 0, ended()))).isEqualTo(new Lost());
    assertThat(commit(withoutEntries(owned(run, 0, ended())))).isEqualTo(new Lost());

    assertThat(store.journal(run.number())).hasSize(1);
    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void a_group_that_is_ahead_of_the_journal_is_lost() {
    NewRun run = running("A-1");

    assertThat(commit(owned(run, 1, ended()))).isEqualTo(new Lost());
    assertThat(commit(withoutEntries(owned(run, 1, ended())))).isEqualTo(new Lost());

    assertThat(store.journal(run.number())).isEmpty();
    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void a_lost_group_takes_no_other_group_with_it() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    NewRun three = running("A-3");

    var answers = commit(owned(one, 0), owned(two, 5), owned(three, 0));

    assertThat(answers)
        .containsExactly(
            new Landed(List.of(), List.of()), new Lost(), new Landed(List.of(), List.of()));
    assertThat(store.journal(one.number())).hasSize(1);
    assertThat(store.journal(two.number())).isEmpty();
    assertThat(store.journal(three.number())).hasSize(1);
  }

  @Test
  void groups_of_one_run_land_in_the_order_of_their_batch() {
    NewRun run = newRun("A-1");

    var answers = commit(insert(run, OWNER), owned(run, 1), owned(run, 2, ended()));

    assertThat(answers).hasOnlyElementsOfType(Landed.class);
    assertThat(store.journal(run.number())).extracting(JournalRow::seq).containsExactly(1L, 2L, 3L);
    assertThat(stored(run).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  void a_journal_is_read_in_parts() {
    NewRun run = newRun("A-1");
    NewRun other = newRun("A-2");
    commit(insert(run, OWNER), owned(run, 1), insert(other, OWNER), owned(run, 2), owned(run, 3));
    List<JournalRow> whole = store.journal(run.number());

    assertThat(store.journal(run.number(), 0, 3)).isEqualTo(whole.subList(0, 3));
    assertThat(store.journal(run.number(), 3, 3)).isEqualTo(whole.subList(3, 4));
    assertThat(store.journal(run.number(), 4, 3)).isEmpty();
    assertThat(store.journal(run.number(), Long.MAX_VALUE, Integer.MAX_VALUE)).isEmpty();
    assertThat(new JournalPages(store, run.number())).containsExactlyElementsOf(whole);
  }

  @Test
  void journals_of_neighbours_do_not_mix() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    Group ofOne = owned(one, 0);
    Group ofTwo = owned(two, 0);

    commit(ofTwo, ofOne);

    assertThat(store.journal(one.number())).containsExactly(row(one, 1, ofOne));
    assertThat(store.journal(two.number())).containsExactly(row(two, 1, ofTwo));
  }

  @Test
  void a_run_is_loaded_with_its_journal() {
    NewRun run = newRun("A-1");
    Group insert = insert(run, OWNER);

    land(insert);

    assertThat(store.load(run.number()))
        .isEqualTo(new StoredRun(stored(run), 1, List.of(row(run, 1, insert))));
  }

  @Test
  void a_reader_that_knows_the_beginning_of_a_journal_gets_the_rest_and_the_row_it_knows() {
    NewRun run = running("A-1");
    Group first = owned(run, 0);
    Group second = owned(run, 1);
    Group third = owned(run, 2);
    land(first);
    land(second);
    land(third);

    assertThat(store.load(run.number(), 2))
        .isEqualTo(new StoredRun(stored(run), 3, List.of(row(run, 2, second), row(run, 3, third))));
    assertThat(store.load(run.number(), 4)).isEqualTo(new StoredRun(stored(run), 3, List.of()));
    assertThat(store.load(run.number(), 0)).isEqualTo(store.load(run.number()));
  }

  @Test
  void answers_as_asked_are_not_stored() {
    NewRun run = running("A-1");
    var granted = granted(create(run, "A-1"));

    land(
        next(
            run,
            new Change.Attempt(granted.effect(), granted.revision(), 2),
            create(run, "A-2").claim()));

    assertThat(store.journal(run.number())).extracting(JournalRow::answers).containsOnlyNulls();
  }

  @Test
  void answers_other_than_asked_are_stored_with_all_of_their_row() {
    done(create(running("A-1"), "shared"), "{\"id\":7}");
    NewRun run = running("A-2");

    Landed landed = land(next(run, create(run, "own").claim(), create(run, "shared").claim()));

    JournalRow row = store.journal(run.number()).getFirst();
    assertThat(row.readAnswers()).isEqualTo(landed.answers()).hasSize(2);
  }

  private static Change ended() {
    return new Change.End(RunStatus.SUCCEEDED, null, null);
  }

  private static Group entries(Group group, JournalEntry... entries) {
    String text = JournalRow.write(List.of(entries));
    return new Group(group.op(), group.at(), group.head(), group.changes(), text);
  }

  private static JournalRow row(NewRun run, long seq, Group group) {
    String entries = Objects.requireNonNull(group.entries());
    return new JournalRow(run.number(), seq, group.op(), group.at(), entries, null);
  }
}
