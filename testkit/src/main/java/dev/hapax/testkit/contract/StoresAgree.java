package dev.hapax.testkit.contract;

import static dev.hapax.testkit.contract.Answers.withWokenSorted;
import static dev.hapax.testkit.contract.Answers.withoutWoken;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.KvFilter;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Checks that two stores answer the same requests in the same way. The operations are generated
 * from a seed, with few keys, so that runs and effects meet often. A failure names the seed and the
 * step, which reproduce it.
 */
public final class StoresAgree {
  private static final int STEPS = 300;
  private static final int ALL = 10_000;
  private static final int MOST_GROUPS = 4;
  private static final int MOST_SUBMISSIONS = 100;

  private final long seed;
  private final Store one;
  private final Store other;
  private final List<Batch> submitted = new ArrayList<>();
  private int step;
  private boolean wasUnknown;

  private StoresAgree(long seed, Store one, Store other) {
    this.seed = seed;
    this.one = one;
    this.other = other;
  }

  /** Opens a store of each kind, does the same to both and compares every answer and all rows. */
  public static void check(long seed, Supplier<Store> a, Supplier<Store> b) {
    try (Store one = a.get();
        Store other = b.get()) {
      new StoresAgree(seed, one, other).check(new GeneratedWork(seed, one, MOST_GROUPS));
    }
  }

  /**
   * Does the same for a store whose commits can be unknown. The batch is submitted again until its
   * outcome is known, as the committer does; then the answers equal those of the store that knew at
   * once. Batches have one group here: a group that was lost may find another of its batch landed
   * the second time.
   */
  public static void checkUnknown(long seed, Supplier<Store> knows, Supplier<Store> doubts) {
    try (Store one = knows.get();
        Store other = doubts.get()) {
      new StoresAgree(seed, one, other).check(new GeneratedWork(seed, one, 1));
    }
  }

  private void check(GeneratedWork work) {
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

    wasUnknown = false;
    List<GroupAnswer> expected = commitUntilKnown(one, batch);
    List<GroupAnswer> found = commitUntilKnown(other, batch);

    if (wasUnknown) {
      compare(withoutWoken(found), withoutWoken(expected), batch);
    } else {
      compare(withWokenSorted(found), withWokenSorted(expected), batch);
    }
  }

  /** Submits an old batch again, as after an unknown commit. */
  private void commitAgain(GeneratedWork work) {
    if (submitted.isEmpty()) {
      return;
    }
    Batch batch = work.oneOf(submitted);

    List<GroupAnswer> expected = commitUntilKnown(one, batch);
    List<GroupAnswer> found = commitUntilKnown(other, batch);

    compare(withoutWoken(found), withoutWoken(expected), batch);
  }

  /**
   * Commits until the outcome is known. A group that has landed before does not return the woken
   * runs again; all its other answers are the same.
   */
  private List<GroupAnswer> commitUntilKnown(Store store, Batch batch) {
    for (int submissions = 1; ; submissions++) {
      try {
        return store.commit(batch);
      } catch (UnknownCommit e) {
        wasUnknown = true;
        if (submissions == MOST_SUBMISSIONS) {
          throw e;
        }
      }
    }
  }

  private void adopt(long owner) {
    compare(
        other.heartbeat(NodeReport.of(owner)).adopted().stream().sorted().toList(),
        one.heartbeat(NodeReport.of(owner)).adopted().stream().sorted().toList(),
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
      var entries = new KvFilter(tenant, "", null, Instant.EPOCH, ALL);
      compare(other.kv(entries), one.kv(entries), "the durable map of " + tenant);
    }
  }

  private <T> void compare(T found, T expected, Object about) {
    assertThat(found).as("seed %d, step %d: %s", seed, step, about).isEqualTo(expected);
  }
}
