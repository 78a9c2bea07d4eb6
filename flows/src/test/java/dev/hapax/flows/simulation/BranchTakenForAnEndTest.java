package dev.hapax.flows.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.simulation.Choices;
import dev.hapax.testkit.simulation.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The simulation finds what people had to find before it was there: items of a loop that choose and
 * then wait were taken for ended, because the two records had one name.
 */
@Tag("simulation")
class BranchTakenForAnEndTest {
  /** Far fewer than a build runs. */
  private static final int ENOUGH_SEEDS = 400;

  @Test
  void the_simulation_finds_work_that_is_lost_when_a_branch_is_read_as_the_end_of_an_item() {
    FileSimulation.Result found = null;
    for (long seed = 1; seed <= ENOUGH_SEEDS && found == null; seed++) {
      var result = FileSimulation.run(Choices.of(seed), new BranchEndsItem(), false);
      found = isLoss(result) ? result : null;
    }

    assertThat(found).as("a file that loses work").isNotNull();
    var small = FileSimulationTest.shrunk(Objects.requireNonNull(found), new BranchEndsItem());
    System.out.println(small.text());
    assertThat(small.text()).contains("forEach:", "choose:");
    assertThat(small.text().lines().filter(line -> line.contains("- id:")))
        .as("the steps of a file that a person can read")
        .hasSizeLessThan(7);
    assertThat(FileSimulation.run(Choices.again(small.choices()), Mutation.NONE, false).problems())
        .as("without the mutation")
        .isEmpty();
  }

  private static boolean isLoss(FileSimulation.Result result) {
    return !result.problems().isEmpty() && result.problems().getFirst().startsWith("Lost:");
  }

  /** A reader of the journal of an item finds behind each branch that the item has ended. */
  private static final class BranchEndsItem implements Mutation {
    @Override
    public Store store(Store store) {
      return new ForwardingStore() {
        @Override
        protected Store to() {
          return store;
        }

        @Override
        public List<JournalRow> itemRows(long run, List<String> items) {
          return store.itemRows(run, items).stream().map(BranchEndsItem::misread).toList();
        }
      };
    }

    private static JournalRow misread(JournalRow row) {
      var entries = new ArrayList<JournalEntry>();
      for (JournalEntry entry : row.readEntries()) {
        entries.add(entry);
        if (entry instanceof StepEntry.Branched(var step, _)) {
          entries.add(new LoopEntry.ItemEnded(step, null));
        }
      }
      return new JournalRow(
          row.run(),
          row.seq(),
          row.op(),
          row.at(),
          JournalRow.write(entries),
          row.answers(),
          row.item());
    }
  }
}
