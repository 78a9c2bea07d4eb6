package dev.hapax.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is tried again is told from what has ended or waits for a person. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class RetryingTest {
  private static final Instant NOW = Instant.parse("2026-11-15T10:00:00Z");
  private static final Step CHARGE = new Step("charge", null);
  private static final Step RATE = new Step("rate", null);

  private final List<JournalRow> journal = new ArrayList<>();

  private boolean after(JournalEntry... entries) {
    long seq = journal.size() + 1L;
    journal.add(new JournalRow(1, seq, seq, NOW, JournalRow.write(List.of(entries)), null));
    return Retrying.isIn(journal);
  }

  @Test
  void a_step_is_tried_again_until_it_ends() {
    assertThat(after(new JournalEntry.ReadFailed(RATE, 1, "timeout", NOW))).isTrue();
    assertThat(after(new JournalEntry.ReadFailed(RATE, 2, "timeout", NOW))).isTrue();
    assertThat(after(new JournalEntry.StepDone(RATE, "1"))).isFalse();
    assertThat(after(new JournalEntry.NotApplied(CHARGE, 1, 1, "503", NOW))).isTrue();
    assertThat(after(new JournalEntry.Attempted(CHARGE, 1, 2))).isTrue();
    assertThat(after(new JournalEntry.InReview(CHARGE, 1, 2, "no answer"))).isFalse();
  }

  @Test
  void steps_beside_one_another_are_looked_at_one_by_one() {
    after(new JournalEntry.NotApplied(CHARGE, 1, 1, "503", NOW));
    after(new JournalEntry.ReadFailed(RATE, 1, "timeout", NOW));

    assertThat(after(new JournalEntry.StepDone(RATE, "1"))).isTrue();
    assertThat(after(new JournalEntry.Ended(RunStatus.CANCELED, null, null))).isFalse();
  }
}
