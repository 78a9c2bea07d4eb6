package dev.hapax.testkit.contract;

import static dev.hapax.testkit.contract.Answers.withWokenSorted;
import static dev.hapax.testkit.contract.Answers.withoutWoken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.run.Run;
import dev.hapax.store.Batch;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Two stores that are asked the same must answer the same. The operations are generated from a
 * seed, with few keys, so that runs and effects meet often; a failure names the seed and the step,
 * and comes again with them.
 */
public final class StoresAgree {
  private static final int STEPS = 300;
  private static final int ALL = 10_000;

  private final long seed;
  private final Store one;
  private final Store other;
  private final List<Batch> submitted = new ArrayList<>();
  private int step;

  private StoresAgree(long seed, Store one, Store other) {
    this.seed = seed;
    this.one = one;
    this.other = other;
  }

  /** Opens a store of each kind, does the same to both and compares every answer and all rows. */
  public static void check(long seed, Supplier<Store> a, Supplier<Store> b) {
    try (Store one = a.get();
        Store other = b.get()) {
      new StoresAgree(seed, one, other).check();
    }
  }

  private void check() {
    var work = new GeneratedWork(seed, one);
    for (step = 0; step < STEPS; step++) {
      switch (work.nextAction()) {
        case COMMIT -> commit(work.nextBatch());
        case COMMIT_AGAIN -> commitAgain(work);
        case ADOPT -> adopt(work.nextOwner());
      }
      compareDue(work.now());
    }
    compareRows();
  }

  private void commit(Batch batch) {
    submitted.add(batch);

    List<GroupAnswer> expected = one.commit(batch);
    List<GroupAnswer> found = other.commit(batch);

    compare(withWokenSorted(found), withWokenSorted(expected), batch);
  }

  /** As after an unknown commit, however long ago. */
  private void commitAgain(GeneratedWork work) {
    if (submitted.isEmpty()) {
      return;
    }
    Batch batch = work.oneOf(submitted);

    List<GroupAnswer> expected = one.commit(batch);
    List<GroupAnswer> found = other.commit(batch);

    compare(withoutWoken(found), withoutWoken(expected), batch);
  }

  private void adopt(long owner) {
    compare(
        other.adoptOrphans(owner).stream().sorted().toList(),
        one.adoptOrphans(owner).stream().sorted().toList(),
        "adoption by " + owner);
  }

  private void compareDue(Instant now) {
    compare(other.due(null, now, ALL), one.due(null, now, ALL), "what is due");
    compare(
        String.valueOf(other.nextDue(null)),
        String.valueOf(one.nextDue(null)),
        "the next due time");
  }

  private void compareRows() {
    for (String tenant : GeneratedWork.TENANTS) {
      var runs = new RunFilter(tenant, null, null, null, null, ALL);
      compare(other.runs(runs), one.runs(runs), "the runs of " + tenant);
      for (Run run : one.runs(runs)) {
        compare(
            other.journal(run.number()), one.journal(run.number()), "the journal of " + run.id());
      }
      var effects = new EffectFilter(tenant, null, null, null, null, ALL);
      compare(other.effects(effects), one.effects(effects), "the effects of " + tenant);
      compare(other.holds(tenant, null), one.holds(tenant, null), "the lines of " + tenant);
    }
  }

  private <T> void compare(T found, T expected, Object about) {
    assertThat(found).as("seed %d, step %d: %s", seed, step, about).isEqualTo(expected);
  }
}
