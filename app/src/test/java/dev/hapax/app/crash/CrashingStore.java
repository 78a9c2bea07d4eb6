package dev.hapax.app.crash;

import dev.hapax.run.EffectKey;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectState;
import dev.hapax.run.Hold;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.JournalRow;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.KvEntry;
import dev.hapax.run.ResourceRecord;
import dev.hapax.run.ResourceRef;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.Subject;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Due;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.InboxFilter;
import dev.hapax.store.KvFilter;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import dev.hapax.store.WaitReads;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A store whose process can end before or after the commit of a certain kind of group; production
 * code has no hooks for it.
 */
public record CrashingStore(Store store, CrashPoint crash) implements Store {

  /** What a group can mean for its run. */
  public enum Moment {
    ACCEPT,
    INTENT,
    RETRY,
    RESEND,
    DOUBT,
    REVIEW,
    OUTCOME,
    TIMER,
    END,
    /** A run comes back into memory. */
    WAKE,
    /** A callback or an approval is opened or awaited. */
    WAIT,
    ANSWER,
    EXPIRY,
    CALL,
    /** A child, a message or a scheduled run begins. */
    SPAWN,
    SCHEDULE,
    EVENT,
    COUNT,
    LOCK,
    UNLOCK,
    UNDO,
    UNDONE,
    /** A run goes on that had ended. */
    REOPEN,
    RETENTION,
    /** An item of a loop writes something. */
    LANE;

    public String before() {
      return name().toLowerCase(Locale.ROOT) + ".before";
    }

    public String after() {
      return name().toLowerCase(Locale.ROOT) + ".after";
    }

    private boolean isIn(Group group) {
      return switch (this) {
        case ACCEPT -> group.head() instanceof Head.Insert;
        case LANE -> group.lane() != null;
        default -> group.changes().stream().anyMatch(change -> this == of(change));
      };
    }

    private static @Nullable Moment of(Change change) {
      return switch (change) {
        case Change.Claim _ -> INTENT;
        case Change.Attempt _ -> RETRY;
        case Change.Effect effect when effect.state() == EffectState.DONE -> OUTCOME;
        case Change.Effect effect when effect.state() == EffectState.REVIEW -> REVIEW;
        // A doubt brings its evidence, the intent that settles it by sending again has none.
        case Change.Effect effect when effect.state() == EffectState.DOUBT ->
            effect.evidence() == null ? RESEND : DOUBT;
        case Change.Release release when release.dueAt() != null -> TIMER;
        case Change.End _ -> END;
        case Change.Take _ -> WAKE;
        case Change.OpenWait _, Change.AwaitWait _ -> WAIT;
        case Change.AnswerWait _ -> ANSWER;
        case Change.ExpireWait _ -> EXPIRY;
        case Change.Call _ -> CALL;
        case Change.Spawn _ -> SPAWN;
        case Change.PutSchedule _ -> SCHEDULE;
        case Change.Receive _ -> EVENT;
        case Change.Kv _ -> COUNT;
        case Change.Lock _ -> LOCK;
        case Change.Unlock _ -> UNLOCK;
        case Change.Undo _ -> UNDO;
        case Change.AfterUndo _ -> UNDONE;
        case Change.Reopen _ -> REOPEN;
        case Change.ExpireRuns _ -> RETENTION;
        default -> null;
      };
    }
  }

  @Override
  public List<GroupAnswer> commit(Batch batch) {
    for (Moment moment : Moment.values()) {
      pass(batch, moment, moment.before());
    }
    List<GroupAnswer> answers = store.commit(batch);
    for (Moment moment : Moment.values()) {
      pass(batch, moment, moment.after());
    }
    return answers;
  }

  private void pass(Batch batch, Moment moment, String point) {
    for (Group group : batch.groups()) {
      if (moment.isIn(group)) {
        crash.pass(point);
      }
    }
  }

  // ---- everything else is the store's own

  @Override
  public List<Long> adoptOrphans(long owner) {
    return store.adoptOrphans(owner);
  }

  @Override
  public @Nullable Run find(RunId id) {
    return store.find(id);
  }

  @Override
  public @Nullable KeyHolder holder(RunId id) {
    return store.holder(id);
  }

  @Override
  public RetentionReads retention() {
    return store.retention();
  }

  @Override
  public @Nullable Run run(long number) {
    return store.run(number);
  }

  @Override
  public @Nullable StoredRun load(long number) {
    return store.load(number);
  }

  @Override
  public List<JournalRow> journal(long run) {
    return store.journal(run);
  }

  @Override
  public List<JournalRow> lanes(long run, List<String> lanes) {
    return store.lanes(run, lanes);
  }

  @Override
  public @Nullable EffectRecord effect(long number) {
    return store.effect(number);
  }

  @Override
  public @Nullable EffectRecord effect(EffectKey key) {
    return store.effect(key);
  }

  @Override
  public List<Run> runs(RunFilter filter) {
    return store.runs(filter);
  }

  @Override
  public List<EffectRecord> effects(EffectFilter filter) {
    return store.effects(filter);
  }

  @Override
  public WaitReads waits() {
    return store.waits();
  }

  @Override
  public byte[] secretKey(byte[] fresh) {
    return store.secretKey(fresh);
  }

  @Override
  public List<Hold> holds(String tenant, @Nullable Subject subject) {
    return store.holds(tenant, subject);
  }

  @Override
  public List<Due> due(@Nullable Due after, Instant until, int limit) {
    return store.due(after, until, limit);
  }

  @Override
  public @Nullable Instant nextDue(@Nullable Due after) {
    return store.nextDue(after);
  }

  @Override
  public List<InboxEvent> events(InboxFilter filter) {
    return store.events(filter);
  }

  @Override
  public List<ScheduleRecord> schedules(String tenant) {
    return store.schedules(tenant);
  }

  @Override
  public @Nullable KvEntry kv(String tenant, String key) {
    return store.kv(tenant, key);
  }

  @Override
  public List<KvEntry> kv(KvFilter filter) {
    return store.kv(filter);
  }

  @Override
  public @Nullable ResourceRecord resource(String tenant, ResourceRef ref) {
    return store.resource(tenant, ref);
  }

  @Override
  public byte @Nullable [] content(long resource) {
    return store.content(resource);
  }

  @Override
  public Instant newestAt() {
    return store.newestAt();
  }

  @Override
  public void backup(Path target) {
    store.backup(target);
  }

  @Override
  public void close() {
    store.close();
  }
}
