package dev.hapax.run;

import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A changed copy of a job. Used by one thread. */
public final class JobEdit {
  private final JobRecord from;
  private final Map<String, Long> totals;
  private String spec;
  private JobState state;
  private long done;
  private long failed;
  private long skipped;
  private int rate;
  private @Nullable String appliedBy;
  private @Nullable Instant endedAt;
  private @Nullable String problem;
  private int turn;
  private boolean isSelected;
  private @Nullable String place;
  private long version;

  JobEdit(JobRecord from) {
    this.from = from;
    this.totals = new HashMap<>(from.totals());
    this.spec = from.spec();
    this.state = from.state();
    this.done = from.done();
    this.failed = from.failed();
    this.skipped = from.skipped();
    this.rate = from.rate();
    this.appliedBy = from.appliedBy();
    this.endedAt = from.endedAt();
    this.problem = from.problem();
    this.turn = from.turn();
    this.isSelected = from.isSelected();
    this.place = from.place();
    this.version = from.version();
  }

  public JobEdit spec(String json) {
    spec = json;
    return this;
  }

  public JobEdit state(JobState now) {
    state = now;
    return this;
  }

  public JobEdit ended(JobState as, Instant at) {
    state = as;
    endedAt = at;
    return this;
  }

  public JobEdit problem(@Nullable String why) {
    problem = why;
    return this;
  }

  public JobEdit appliedBy(String actor) {
    appliedBy = actor;
    return this;
  }

  public JobEdit rate(int perSecond) {
    rate = perSecond;
    return this;
  }

  /** Another run works on it from now on. */
  public JobEdit nextTurn() {
    turn++;
    return this;
  }

  /** The selection goes on behind this place; null if it is complete. */
  public JobEdit selectedUpTo(@Nullable String next) {
    place = next;
    isSelected = next == null;
    return this;
  }

  public JobEdit add(String total, long count) {
    totals.merge(total, count, Long::sum);
    return this;
  }

  /** Counts a result. */
  public JobEdit count(JobItemState result) {
    switch (result) {
      case DONE -> done++;
      case FAILED -> failed++;
      case SKIPPED -> skipped++;
      case OPEN, DOING -> throw new IllegalArgumentException(result + " is not a result");
    }
    return this;
  }

  JobEdit version(long op) {
    version = op;
    return this;
  }

  public JobRecord toRecord() {
    return new JobRecord(
        from.number(),
        from.tenant(),
        from.id(),
        from.kind(),
        state,
        spec,
        totals,
        done,
        failed,
        skipped,
        rate,
        from.createdBy(),
        appliedBy,
        from.createdAt(),
        endedAt,
        problem,
        turn,
        isSelected,
        place,
        version);
  }
}
