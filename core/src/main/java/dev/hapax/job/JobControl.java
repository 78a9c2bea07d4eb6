package dev.hapax.job;

import dev.hapax.engine.Engine;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobState;
import dev.hapax.flow.Names;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.StalePlan;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.run.JobRecord;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What people do to jobs. Each action is durable when its method returns. */
public final class JobControl {
  /** In a second. */
  public static final int MOST_ITEMS_PER_SECOND = 10_000;

  /** The most items of a plan that is made or looked through while a caller waits. */
  public static final int MOST_AT_ONCE = 100;

  /** The most items that a job without a plan binds while a caller waits. */
  private static final int MOST_BOUND = 1_000;

  private static final int MOST_TRIES = 100;
  private static final int LONGEST_SPEC = 1 << 20;

  private final JobBook book;
  private final JobKinds kinds;

  public JobControl(Engine engine, Store store, JobKinds kinds) {
    this.book = new JobBook(engine, store);
    this.kinds = kinds;
  }

  /**
   * Begins a job: it selects its items, and then acts on them unless it is only a plan.
   *
   * @param key the same key gives the same job; null for a new one
   * @throws NotPossible if the key has a job that does something else
   */
  public JobRecord begin(
      String tenant,
      String kind,
      String spec,
      int rate,
      String actor,
      @Nullable String key,
      boolean isPlan) {
    JobRecord job = fresh(tenant, kind, spec, rate, actor, key, isPlan);
    if (!isPlan && kinds.existing(kind).selectsAtOnce(spec)) {
      return selected(
          job,
          key,
          false,
          MOST_BOUND,
          "ids: a job '%s' that acts without a plan has at most %,d of them. Make a plan, or several jobs"
              .formatted(kind, MOST_BOUND));
    }
    JobRecord written = book.write(job, job, List.of());
    return written != null ? written : same(job, existing(tenant, job.id()), isPlan);
  }

  /**
   * Makes a plan that is complete when this returns. For few items only: the caller waits.
   *
   * @param key the same key gives the same plan; null for a new one
   */
  public JobRecord planNow(
      String tenant, String kind, String spec, int rate, String actor, @Nullable String key) {
    return selected(
        fresh(tenant, kind, spec, rate, actor, key, true),
        key,
        true,
        MOST_AT_ONCE,
        "a plan that is complete at once has at most %d items".formatted(MOST_AT_ONCE));
  }

  /** Creates the job and its items in one commit; refuses more than this many. */
  private JobRecord selected(
      JobRecord job, @Nullable String key, boolean isPlan, int most, String tooMany) {
    JobRecord known = key == null ? null : book.reads().find(job.tenant(), job.id());
    if (known != null) {
      return same(job, known, isPlan);
    }
    JobKind kind = kinds.existing(job.kind());
    List<JobItem> items = new ArrayList<>();
    JobRecord selected = job;
    while (!selected.isSelected()) {
      JobKind.Page page = kind.select(selected.toJob(), selected.place(), MOST_AT_ONCE);
      selected = JobPage.added(selected, page, book.now(), items);
      if (items.size() > most) {
        throw new IllegalArgumentException(tooMany);
      }
    }
    JobRecord written = book.write(job, selected, items);
    return written != null ? written : same(job, existing(job.tenant(), job.id()), isPlan);
  }

  private JobRecord fresh(
      String tenant,
      String kind,
      String spec,
      int rate,
      String actor,
      @Nullable String key,
      boolean isPlan) {
    refuseBad(spec, rate, actor);
    JobKind known = kinds.existing(kind);
    if (!isPlan && known.needsPlan()) {
      throw new IllegalArgumentException(
          "plan: expected true: a job '%s' acts only by a plan that a person has seen and applied"
              .formatted(kind));
    }
    known.check(tenant, spec);
    long number = book.engine().ids().next();
    return new JobRecord(
        number,
        tenant,
        id(tenant, number, key),
        kind,
        JobState.PLANNING,
        spec,
        Map.of(),
        0,
        0,
        0,
        rate,
        actor,
        isPlan ? null : actor,
        book.now(),
        null,
        null,
        1,
        false,
        null,
        0);
  }

  private static JobRecord same(JobRecord wanted, JobRecord present, boolean isPlan) {
    boolean isSame =
        present.kind().equals(wanted.kind())
            && withoutReason(present.spec()).equals(withoutReason(wanted.spec()))
            && (isPlan || present.appliedBy() != null);
    if (!isSame) {
      throw new NotPossible(
          "the idempotency key belongs to job %s, which does something else. Use another key"
              .formatted(present.id()));
    }
    return present;
  }

  /** The reason is added when a person applies the plan. */
  private static JsonNode withoutReason(String spec) {
    JsonNode tree = Json.tree(spec);
    return tree instanceof ObjectNode object ? object.without(JobSpec.APPLY_REASON) : tree;
  }

  private static String id(String tenant, long number, @Nullable String key) {
    if (key == null) {
      return "j-" + Long.toString(number, 36);
    }
    Names.key("a job", key);
    return "j-" + new EffectKey(tenant, "hapax/job", key, null).onWire(1);
  }

  private static void refuseBad(String spec, int rate, String actor) {
    if (rate < 1 || rate > MOST_ITEMS_PER_SECOND) {
      throw new IllegalArgumentException(
          "rate: expected 1 to %,d items in a second, got %d"
              .formatted(MOST_ITEMS_PER_SECOND, rate));
    }
    if (spec.length() > LONGEST_SPEC) {
      throw new IllegalArgumentException(
          "a job is described by at most %,d characters of JSON, this one has %,d. Use a filter instead of a list"
              .formatted(LONGEST_SPEC, spec.length()));
    }
    if (actor.isBlank() || !Text.isStorable(actor)) {
      throw new IllegalArgumentException("actor: expected a name");
    }
  }

  public JobRecord existing(String tenant, String id) {
    JobRecord job = book.reads().find(tenant, id);
    if (job == null) {
      throw new NotFound("there is no job " + id);
    }
    return job;
  }

  /**
   * Lets a plan act on the items that it has found. A job that acts already goes on.
   *
   * @param reason why; null for none
   * @throws StalePlan if the plan has few items, and none of them can be acted on any more
   */
  public JobRecord apply(
      String tenant, String id, String actor, @Nullable Integer rate, @Nullable String reason) {
    refuseBad("", rate == null ? 1 : rate, actor);
    if (reason != null && !Text.isStorable(reason)) {
      throw new IllegalArgumentException("reason: expected at most 10,000 characters without NUL");
    }
    refuseStale(existing(tenant, id));
    return change(
        tenant,
        id,
        job -> {
          if (job.appliedBy() != null) {
            return job;
          }
          if (job.state() != JobState.PLANNED) {
            throw notPossible(job, "applied", "only a plan that is complete can be applied");
          }
          var edit = job.edit().appliedBy(actor).state(JobState.RUNNING).nextTurn();
          if (reason != null) {
            edit.spec(withReason(job.spec(), reason));
          }
          return (rate == null ? edit : edit.rate(rate)).toRecord();
        });
  }

  private static String withReason(String spec, String reason) {
    var tree = (ObjectNode) Json.tree(spec);
    return Json.write(tree.put(JobSpec.APPLY_REASON, reason));
  }

  /** A large plan is not looked through: what has changed is skipped, and the result says why. */
  private void refuseStale(JobRecord job) {
    JobKind kind = kinds.find(job.kind());
    if (kind == null || job.state() != JobState.PLANNED || job.toJob().items() > MOST_AT_ONCE) {
      return;
    }
    String first = null;
    for (JobItem item : book.items(job, JobItemState.OPEN, MOST_AT_ONCE)) {
      String problem = kind.staleness(job.toJob(), item);
      if (problem == null) {
        return;
      }
      first = first == null ? problem : first;
    }
    if (first != null) {
      throw new StalePlan(first);
    }
  }

  public JobRecord pause(String tenant, String id) {
    return change(
        tenant,
        id,
        job -> {
          if (job.state() == JobState.PAUSED) {
            return job;
          }
          if (!job.state().isAtWork()) {
            throw notPossible(job, "paused", "only a job at work can be paused");
          }
          return job.edit().state(JobState.PAUSED).toRecord();
        });
  }

  /** Also lets a job go on whose run a person has ended. */
  public JobRecord resume(String tenant, String id, @Nullable Integer rate) {
    refuseBad("", rate == null ? 1 : rate, "resume");
    return change(
        tenant,
        id,
        job -> {
          if (job.state() != JobState.PAUSED && !isLeft(job)) {
            if (job.state().isAtWork() && rate == null) {
              return job;
            }
            if (!job.state().isAtWork()) {
              throw notPossible(job, "resumed", "only a paused job can be resumed");
            }
            return job.edit().rate(rate == null ? job.rate() : rate).toRecord();
          }
          var edit =
              job.edit()
                  .state(job.isSelected() ? JobState.RUNNING : JobState.PLANNING)
                  .problem(null)
                  .nextTurn();
          return (rate == null ? edit : edit.rate(rate)).toRecord();
        });
  }

  /** Whether it is at work, but its run has ended without it. */
  private boolean isLeft(JobRecord job) {
    Run run = book.store().find(JobTurn.of(job).run(job.tenant()));
    return job.state().isAtWork() && (run == null || run.status().isEnd() || run.isQuarantined());
  }

  /** Ends a job. What it has done stays done; its other items stay open. */
  public JobRecord cancel(String tenant, String id) {
    return change(
        tenant,
        id,
        job -> {
          if (job.state() == JobState.CANCELED) {
            return job;
          }
          if (job.state().isEnd()) {
            throw notPossible(job, "canceled", "it has ended");
          }
          return job.edit().ended(JobState.CANCELED, book.now()).toRecord();
        });
  }

  private static NotPossible notPossible(JobRecord job, String verb, String why) {
    return new NotPossible(
        "job %s is %s and cannot be %s: %s".formatted(job.id(), job.state().word(), verb, why));
  }

  private JobRecord change(String tenant, String id, UnaryOperator<JobRecord> decision) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      JobRecord job = existing(tenant, id);
      JobRecord after = decision.apply(job);
      JobRecord written = after.equals(job) ? job : book.write(job, after, List.of());
      if (written != null) {
        return written;
      }
    }
    throw new NotPossible("job %s keeps changing. Repeat the call".formatted(id));
  }
}
