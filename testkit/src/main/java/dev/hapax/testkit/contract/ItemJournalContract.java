package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Sections of a journal that are read by themselves, in one order with the rest. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ItemJournalContract extends StoreContract {

  private Group inItem(NewRun run, long seq, String item) {
    Group group = owned(run, seq);
    return new Group(group.op(), group.at(), group.head(), group.changes(), group.entries(), item);
  }

  private StoredRun load(NewRun run) {
    return Objects.requireNonNull(store.load(run.number()));
  }

  private static List<Long> places(List<JournalRow> rows) {
    return rows.stream().map(JournalRow::seq).toList();
  }

  @Test
  void a_run_is_loaded_without_the_journals_of_its_items_and_knows_where_its_journal_ends() {
    NewRun run = running("A-1");
    land(owned(run, 0));
    land(inItem(run, 1, "item-1"));
    land(owned(run, 2));
    land(inItem(run, 3, "item-2"));

    assertThat(load(run).seq()).isEqualTo(4);
    assertThat(places(load(run).journal())).containsExactly(1L, 3L);
    assertThat(places(store.journal(run.number()))).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void items_are_read_by_their_names_in_the_order_of_the_journal() {
    NewRun run = running("A-1");
    land(inItem(run, 0, "b"));
    land(inItem(run, 1, "a"));
    land(inItem(run, 2, "b"));
    land(inItem(run, 3, "it's \"odd\" ü \\"));

    List<JournalRow> both = store.itemRows(run.number(), List.of("a", "b"));

    assertThat(places(both)).containsExactly(1L, 2L, 3L);
    assertThat(both.stream().map(JournalRow::item)).containsExactly("b", "a", "b");
    assertThat(places(store.itemRows(run.number(), List.of("it's \"odd\" ü \\"))))
        .containsExactly(4L);
    assertThat(store.itemRows(run.number(), List.of("c"))).isEmpty();
    assertThat(store.itemRows(run.number(), List.of())).isEmpty();
  }

  @Test
  void items_of_other_runs_are_not_read() {
    NewRun one = running("A-1");
    NewRun other = running("A-2");
    land(inItem(one, 0, "a"));

    assertThat(store.itemRows(other.number(), List.of("a"))).isEmpty();
  }

  @Test
  void all_items_have_one_order_and_a_group_after_a_lost_one_is_lost() {
    NewRun run = running("A-1");
    land(inItem(run, 0, "a"));

    assertThat(commit(inItem(run, 0, "b"))).isEqualTo(new Lost());
    assertThat(commit(inItem(run, 2, "b"))).isEqualTo(new Lost());
  }

  @Test
  void a_group_in_a_item_that_is_submitted_again_lands_once() {
    NewRun run = running("A-1");
    Group group = inItem(run, 0, "a");

    assertThat(commit(group)).isInstanceOf(Landed.class);
    assertThat(commit(group)).isInstanceOf(Landed.class);
    assertThat(store.journal(run.number())).hasSize(1);
  }

  @Test
  void a_run_without_an_owner_is_written_to_where_the_whole_journal_ends() {
    NewRun run = running("A-1");
    land(inItem(run, 0, "a"));
    land(owned(run, 1, new Change.Release(RunStatus.REVIEW, null)));

    Group settling =
        new Group(nextNumber(), now, new Head.Unowned(run.number(), 2), List.of(), ENTRIES, "a");

    assertThat(commit(settling)).isInstanceOf(Landed.class);
    assertThat(places(store.itemRows(run.number(), List.of("a")))).containsExactly(1L, 3L);
  }
}
