package dev.hapax.store;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.start.InboxRule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Records a received event and starts its run if required. Called by every store, over its own
 * rows, so that all stores answer alike.
 */
public final class ReceiveRule<E extends Exception> {
  private final EventTable<E> rows;
  private final Spawning<E> spawning;

  public ReceiveRule(EventTable<E> rows, Spawning<E> spawning) {
    this.rows = rows;
    this.spawning = spawning;
  }

  /** Begins a run beside the group's own run, if its key has none. */
  public interface Spawning<E extends Exception> {
    Answer spawn(NewRun run, @Nullable Instant occurredAt) throws E;

    /** The holder of the slot that the run needs, if its flow says to refuse it then. */
    @Nullable String busy(NewRun run) throws E;

    /** Whether the run with this id exists, and was started with this input. */
    boolean isStartedWith(String run, Fingerprint input) throws E;
  }

  public Answer.Received receive(Change.Receive change, long op) throws E {
    InboxEvent event = change.event();
    InboxEvent first = rows.find(event);
    if (first != null && first.number() != event.number()) {
      rows.countRedelivery(first, op);
      return Answer.Received.again(first);
    }
    if (first != null && !first.outcome().canBeTriedAgain()) {
      return Answer.Received.of(first); // submitted again, or retried by two callers
    }
    InboxEvent decided = decide(change, first == null ? event : first);
    NewRun run = change.run();
    boolean setsVersion = InboxRule.setsVersion(decided, decided.outcome());
    rows.put(decided, setsVersion && run != null ? run.fingerprint() : null, op);
    if (setsVersion) {
      rows.putNewest(decided);
    }
    return Answer.Received.of(decided);
  }

  private InboxEvent decide(Change.Receive change, InboxEvent event) throws E {
    InboxEvent byVersion = byVersion(change, event);
    if (byVersion != null) {
      return byVersion;
    }
    NewRun run = change.run();
    if (run == null) {
      return event.with(change.refusal(), null, change.problem());
    }
    String holder = spawning.busy(run);
    if (holder != null) {
      return InboxRule.rejected(event, holder);
    }
    Answer answer = spawning.spawn(run, change.occurredAt());
    return InboxRule.begun(event, run, answer, change.returnsFirst());
  }

  /** Returns null if the versions of its object let the event pass. */
  private @Nullable InboxEvent byVersion(Change.Receive change, InboxEvent event) throws E {
    ObjectVersion version = event.version();
    EventTable.Newest newest = version == null ? null : rows.newest(event);
    if (version == null || newest == null) {
      return null;
    }
    return switch (InboxRule.order(version, newest.version())) {
      case NEWER -> null;
      case OLDER -> InboxRule.stale(event, newest.version());
      case NONE -> InboxRule.ofOtherType(event, newest.version());
      case EQUAL -> byContent(change, event, newest);
    };
  }

  /** Content that cannot be read is neither old nor new: the event is invalid. */
  private @Nullable InboxEvent byContent(
      Change.Receive change, InboxEvent event, EventTable.Newest newest) throws E {
    NewRun run = change.run();
    if (run == null) {
      return null;
    }
    InboxEvent seen = rows.seen(event, run.fingerprint());
    if (seen != null) {
      return InboxRule.seenBefore(event, seen.run());
    }
    String first = newest.run();
    return first != null && spawning.isStartedWith(first, run.fingerprint())
        ? InboxRule.seenBefore(event, first)
        : InboxRule.tied(event, change.tie());
  }
}
