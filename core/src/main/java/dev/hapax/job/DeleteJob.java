package dev.hapax.job;

import dev.hapax.engine.Engine;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Text;
import dev.hapax.store.Store;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes ended runs before their retention is over. What is left is what retention leaves: a
 * tombstone, which answers the key, and the effects in the ledger for their own life, so that
 * nothing is sent a second time.
 */
public final class DeleteJob implements JobKind {
  /** Also the word of the public contract. */
  public static final String NAME = "delete";

  private static final Set<RunStatus> ENDED =
      Arrays.stream(RunStatus.values())
          .filter(RunStatus::isEnd)
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(RunStatus.class)));

  private final Engine engine;
  private final Store store;

  public DeleteJob(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void check(String tenant, String spec) {
    JobSpec read = JobSpec.read(spec);
    RunPages.check(NAME, read.filter(), ENDED);
    String reason = read.reason();
    if (reason == null || reason.isBlank() || !Text.isStorable(reason)) {
      throw new IllegalArgumentException(
          "reason: expected 1 to 10,000 characters: the job records why the runs were deleted");
    }
  }

  @Override
  public Page select(Job job, @Nullable String place, int limit) {
    return pages(job)
        .page(place, limit, run -> new Selected(run.id().toString(), run.flow(), run.key()));
  }

  @Override
  public Outcome act(Job job, JobItem item) {
    Run run = pages(job).find(item.subject());
    if (run == null) {
      throw new NotFound("there is no run %s; it may be deleted already".formatted(item.subject()));
    }
    refuseHeld(run);
    if (!engine.deleteEarly(run.number())) {
      refuseHeld(now(run));
      throw new NotPossible("run %s has changed meanwhile: delete it again".formatted(run.id()));
    }
    return Outcome.DONE;
  }

  private Run now(Run run) {
    Run now = store.run(run.number());
    return now == null ? run : now;
  }

  private void refuseHeld(Run run) {
    if (!run.status().isEnd()) {
      throw new NotPossible(
          "run %s has not ended: it is %s. Cancel it, and delete it when it has ended"
              .formatted(run.id(), run.shownStatus().word()));
    }
    Long parent = run.parent();
    Run caller = parent == null ? null : store.run(parent);
    if (caller != null) {
      throw new NotPossible(
          "its parent, run %s, is still kept and may read its output. Delete that one first"
              .formatted(caller.id()));
    }
    for (long number : store.retention().openEffects(run.number())) {
      EffectRecord effect = store.effect(number);
      if (effect != null) {
        throw new NotPossible(
            "it owns effect %s %s, which is %s. Settle it first: hapax review"
                .formatted(effect.id(), effect.key(), effect.state().word()));
      }
    }
  }

  private RunPages pages(Job job) {
    return new RunPages(store, job.tenant(), JobSpec.read(job.spec()), ENDED);
  }
}
