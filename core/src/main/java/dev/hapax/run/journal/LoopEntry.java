package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a loop has come. */
@JsonSubTypes({
  @JsonSubTypes.Type(value = LoopEntry.LoopStarted.class, name = "loop"),
  @JsonSubTypes.Type(value = LoopEntry.ItemEnded.class, name = "item-ended"),
  @JsonSubTypes.Type(value = LoopEntry.LoopEnded.class, name = "loop-ended"),
})
public sealed interface LoopEntry extends JournalEntry {
  @Override
  Step step();

  /**
   * A loop over this many items; the steps of each item have their own journal.
   *
   * @param rounds true if the items are rounds, of which there are at most so many
   * @param ended how many rounds had ended when this was written again, for a pass that looks for
   *     the current one
   */
  record LoopStarted(Step step, long items, @Nullable Boolean rounds, @Nullable Integer ended)
      implements LoopEntry {
    public LoopStarted(Step step, long items) {
      this(step, items, null, null);
    }

    /** Whether the items are rounds that follow each other. */
    public boolean hasRounds() {
      return Boolean.TRUE.equals(rounds);
    }
  }

  /**
   * An item was handled, or failed for good.
   *
   * @param output its result; null if its loop keeps none
   */
  record ItemEnded(Step step, @Nullable Failure error, @Nullable String output)
      implements LoopEntry {
    public ItemEnded(Step step, @Nullable Failure error) {
      this(step, error, null);
    }
  }

  /**
   * Every item of the loop has ended; contains the first of the failures.
   *
   * @param results of all items, in their order; null if the loop keeps none, or if they are larger
   *     than they may be together
   */
  record LoopEnded(
      Step step, long succeeded, long failed, List<Failure> failures, @Nullable String results)
      implements LoopEntry {
    public LoopEnded(Step step, long succeeded, long failed, List<Failure> failures) {
      this(step, succeeded, failed, failures, null);
    }
  }
}
