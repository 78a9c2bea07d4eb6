package dev.hapax.run.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Distinguishes runs that are retried from runs that have ended or wait for a person. */
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
    assertThat(after(new StepEntry.ReadFailed(RATE, 1, "timeout", NOW))).isTrue();
    assertThat(after(new StepEntry.ReadFailed(RATE, 2, "timeout", NOW))).isTrue();
    assertThat(after(new StepEntry.StepDone(RATE, "1"))).isFalse();
    assertThat(after(new EffectEntry.NotApplied(CHARGE, 1, 1, "503", NOW))).isTrue();
    assertThat(after(new EffectEntry.Attempted(CHARGE, 1, 2))).isTrue();
    assertThat(after(new EffectEntry.InReview(CHARGE, 1, 2, "no answer"))).isFalse();
  }

  @Test
  void steps_beside_one_another_are_looked_at_one_by_one() {
    after(new EffectEntry.NotApplied(CHARGE, 1, 1, "503", NOW));
    after(new StepEntry.ReadFailed(RATE, 1, "timeout", NOW));

    assertThat(after(new StepEntry.StepDone(RATE, "1"))).isTrue();
    assertThat(after(new RunEntry.Ended(RunStatus.CANCELED, null, null))).isFalse();
  }
}
