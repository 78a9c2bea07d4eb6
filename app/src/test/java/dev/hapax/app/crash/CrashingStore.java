package dev.hapax.app.crash;

import dev.hapax.flow.EffectState;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A store whose process can end before or after the commit of a certain kind of group; production
 * code has no hooks for it.
 */
public final class CrashingStore extends ForwardingStore {
  private final Store store;
  private final CrashPoint crash;

  public CrashingStore(Store store, CrashPoint crash) {
    this.store = store;
    this.crash = crash;
  }

  @Override
  protected Store to() {
    return store;
  }

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
    ITEM;

    public String before() {
      return name().toLowerCase(Locale.ROOT) + ".before";
    }

    public String after() {
      return name().toLowerCase(Locale.ROOT) + ".after";
    }

    private boolean isIn(Group group) {
      return switch (this) {
        case ACCEPT -> group.head() instanceof Head.Insert;
        case ITEM -> group.item() != null;
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
        case Change.PutSchedule _, Change.FireSchedule _ -> SCHEDULE;
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
}
