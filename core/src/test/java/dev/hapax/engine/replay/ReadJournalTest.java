package dev.hapax.engine.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Step;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.WaitEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A journal that was read before is read on only from the very row where it ended. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReadJournalTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  private final List<JournalRow> rows = new ArrayList<>();

  ReadJournalTest() {
    for (int seq = 1; seq <= 6; seq++) {
      rows.add(row(seq, 100 + seq));
    }
  }

  @Test
  void a_journal_cut_at_any_place_says_the_same_as_the_whole() {
    var whole = ReadJournal.of(rows);
    for (int cut = 1; cut <= rows.size(); cut++) {
      var journal = ReadJournal.of(rows.subList(0, cut));
      journal.replay().beginPass();
      List<JournalRow> from = rows.subList(cut - 1, rows.size());

      assertThat(journal.goesOnWith(from)).isTrue();
      journal.readOn(from);

      assertThat(journal.replay().steps()).isEqualTo(whole.replay().steps());
      assertThat(journal.rows()).isEqualTo(whole.rows());
      assertThat(journal.seq()).isEqualTo(whole.seq());
      assertThat(journal.bytes()).isEqualTo(whole.bytes());
    }
  }

  @Test
  void what_a_pass_noted_is_gone_when_the_journal_is_read_on() {
    Replay replay = ReadJournal.of(rows).replay();
    replay.beginPass();
    replay.waits().note(new WaitEntry.CallbackOpened(step(9), 77, null));
    assertThat(replay.waits().callback(step(9))).isEqualTo(77);

    replay.beginPass();

    assertThat(replay.waits().callback(step(9))).isNull();
    assertThat(replay.waits().hasOpen()).isFalse();
  }

  @Test
  void a_journal_that_lost_its_end_is_not_read_on() {
    assertThat(ReadJournal.of(rows).goesOnWith(List.of())).isFalse();
  }

  @Test
  void a_journal_whose_end_others_have_written_anew_is_not_read_on() {
    var journal = ReadJournal.of(rows);

    assertThat(journal.goesOnWith(List.of(row(6, 999), row(7, 1000)))).isFalse();
    assertThat(journal.goesOnWith(List.of(row(7, 106)))).isFalse();
    assertThat(journal.goesOnWith(List.of(row(6, 106), row(7, 1000)))).isTrue();
  }

  private static Step step(long number) {
    return new Step("pause", "round-" + number);
  }

  private static JournalRow row(long seq, long op) {
    List<JournalEntry> entries =
        List.of(
            new WaitEntry.WaitEnded(step(seq - 1)),
            new WaitEntry.WaitStarted(step(seq), AT.plusSeconds(seq)));
    return new JournalRow(1, seq, op, AT, JournalRow.write(entries), null);
  }
}
