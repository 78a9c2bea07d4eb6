package dev.hapax.job;

import dev.hapax.engine.Engine;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.run.JobRecord;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.JobReads;
import dev.hapax.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes jobs. Every write is conditional on what was read. Safe for many threads. */
final class JobBook {
  private final Engine engine;
  private final Store store;

  JobBook(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
  }

  Instant now() {
    return engine.clock().now();
  }

  Engine engine() {
    return engine;
  }

  Store store() {
    return store;
  }

  JobReads reads() {
    return store.jobs();
  }

  @Nullable JobItem item(JobRecord job, long position) {
    List<JobItem> found = reads().items(job.number(), null, position - 1, 1);
    return found.isEmpty() || found.getFirst().position() != position ? null : found.getFirst();
  }

  List<JobItem> items(JobRecord job, JobItemState state, int limit) {
    return reads().items(job.number(), state, 0, limit);
  }

  /**
   * Writes the job as it is after a change, with its items. A job whose turn has changed gets its
   * next run in the same commit. Returns the job as it is stored; null if another writer was
   * faster.
   */
  @Nullable JobRecord write(JobRecord before, JobRecord after, List<JobItem> items) {
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.PutJob(after, before.version(), !after.spec().equals(before.spec())));
    if (!items.isEmpty()) {
      changes.add(new Change.PutJobItems(before.number(), items));
    }
    List<NewRun> turn =
        after.state().isAtWork() && (before.version() == 0 || after.turn() != before.turn())
            ? List.of(JobTurn.of(after).toRun(engine.ids().next(), after.tenant()))
            : List.of();
    long op = engine.ids().next();
    return switch (engine.starts().commit(op, changes, turn)) {
      case GroupAnswer.Landed _ -> after.writtenBy(op);
      case GroupAnswer.Lost _ -> null;
      case GroupAnswer.Refused(var problem) ->
          throw new IllegalArgumentException("the store refused this job: " + problem);
      case GroupAnswer.Exists _,
          GroupAnswer.Expired _,
          GroupAnswer.Queued _,
          GroupAnswer.Busy _,
          GroupAnswer.Blocked _,
          GroupAnswer.NoSpace _ ->
          throw new IllegalStateException("a job is no run");
    };
  }

  /** Deletes a part of a job. */
  void remove(JobRecord job, int most) {
    var removal = new Change.RemoveJob(job.tenant(), job.number(), most);
    engine.committer().commit(Group.always(engine.ids().next(), now(), List.of(removal)));
  }
}
