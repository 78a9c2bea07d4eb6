package dev.hapax.engine;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.RecordExport;
import dev.hapax.flow.Run;
import dev.hapax.history.RunHistory;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.JournalPages;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.Store;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Exports records before the commit that deletes them. What it returns was durable before, and the
 * commit deletes nothing else. Safe for many threads.
 */
public final class RetentionExport {
  /** What is exported before one commit: records may be large. */
  static final int AT_ONCE = 32;

  private static final int EVENTS_AT_ONCE = 16;

  private final Store store;
  private final RetentionReads reads;
  private final RecordExport to;
  private final ConcurrentMap<String, Count> counts = new ConcurrentHashMap<>();
  private volatile @Nullable Trouble trouble;
  private boolean isClosed; // guarded by the export

  RetentionExport(Store store, RecordExport to) {
    this.store = store;
    this.reads = store.retention();
    this.to = to;
  }

  /** What is in the way of exports, and so of deletions. */
  public record Trouble(Instant since, String problem) {}

  /** How much was exported of a tenant since this engine was opened. */
  public record Count(long runs, long effects, long events, @Nullable Instant last) {
    static final Count NONE = new Count(0, 0, 0, null);

    Count and(Count more) {
      return new Count(runs + more.runs, effects + more.effects, events + more.events, more.last);
    }
  }

  /** Thrown if records could not be exported: nothing is deleted. */
  static final class NotExported extends Exception {
    private static final long serialVersionUID = 1L;

    NotExported(Exception cause) {
      super(String.valueOf(cause.getMessage() == null ? cause : cause.getMessage()), cause);
    }
  }

  /**
   * What was exported, and may go.
   *
   * @param runs with the last seq of their journals
   * @param events how many of the oldest ones
   * @param eventsBefore no event with this number or a greater one may go
   */
  record Exported(Map<Long, Long> runs, Set<Long> effects, int events, long eventsBefore) {}

  public String place() {
    return to.place();
  }

  public @Nullable Trouble trouble() {
    return trouble;
  }

  public Count count(String tenant) {
    return counts.getOrDefault(tenant, Count.NONE);
  }

  void close() {
    synchronized (to) {
      isClosed = true;
      to.close();
    }
  }

  /**
   * Exports what can be deleted now.
   *
   * @param isEarly whether a person wants the runs to go before their retention is over
   * @param eventsBefore the number of the first event that stays; 0 if none goes
   */
  Exported export(
      List<Long> runs, List<Long> effects, boolean isEarly, long eventsBefore, Instant now)
      throws NotExported {
    var going = new Going(now);
    synchronized (to) {
      try {
        if (isClosed) {
          throw new IOException("the engine is closing");
        }
        to.begin(now);
        for (long run : runs) {
          going.run(run, isEarly);
        }
        for (long effect : effects) {
          going.effect(effect);
        }
        going.events(eventsBefore);
        to.sync();
      } catch (IOException | RuntimeException e) {
        to.abandon();
        NoAnswer.passOn(e); // of the store
        throw failed(e, now);
      }
    }
    trouble = null;
    going.counts.forEach((tenant, more) -> counts.merge(tenant, more, Count::and));
    return new Exported(going.runs, going.effects, going.events, going.before);
  }

  private NotExported failed(Exception e, Instant now) {
    Trouble before = trouble;
    var failure = new NotExported(e);
    trouble =
        new Trouble(before == null ? now : before.since(), String.valueOf(failure.getMessage()));
    return failure;
  }

  /** One export. */
  private final class Going {
    private final Instant now;
    private final Map<Long, Long> runs = new HashMap<>();
    private final Set<Long> effects = new HashSet<>();
    private final Map<String, Count> counts = new HashMap<>();
    private int events;
    private long before;

    Going(Instant now) {
      this.now = now;
    }

    /** A run that stays is not exported: it would be exported again every day. */
    void run(long number, boolean isEarly) throws IOException {
      Run run = store.run(number);
      Instant endedAt = run == null ? null : run.endedAt();
      Instant expiresAt = reads.runKeptUntil(number);
      if (run == null || endedAt == null || expiresAt == null) {
        return;
      }
      boolean isHeld = isHeld(run);
      boolean stays =
          isEarly
              ? isHeld
              : RetentionRule.runStaysUntil(
                      now, endedAt, expiresAt, reads.keep(run.tenant(), run.flow()), isHeld)
                  != null;
      if (stays) {
        return;
      }
      var journal = new Followed(new JournalPages(store, number));
      to.run(
          run,
          hear ->
              RunHistory.lines(
                      run,
                      null,
                      journal,
                      store.waits().ofRun(number),
                      store.waits().laterAnswers(number))
                  .forEach(hear));
      runs.put(number, journal.last);
      count(run.tenant(), new Count(1, 0, 0, now));
    }

    private boolean isHeld(Run run) {
      Long parent = run.parent();
      return (parent != null && store.run(parent) != null)
          || !reads.openEffects(run.number()).isEmpty();
    }

    void effect(long number) throws IOException {
      EffectRecord effect = store.effect(number);
      if (effect == null || effect.state().isOpen() || !reads.referring(number, 1).isEmpty()) {
        return;
      }
      to.effect(effect, null); // no run that refers to it exists
      effects.add(number);
      count(effect.key().tenant(), new Count(0, 1, 0, now));
    }

    void events(long until) throws IOException {
      before = until;
      if (until == 0) {
        return;
      }
      List<InboxEvent> oldest = reads.oldestEvents(until, EVENTS_AT_ONCE);
      for (InboxEvent event : oldest) {
        to.event(event);
        count(event.tenant(), new Count(0, 0, 1, now));
      }
      events = oldest.size();
      before = oldest.isEmpty() ? until : oldest.getLast().number() + 1;
    }

    private void count(String tenant, Count more) {
      counts.merge(tenant, more, Count::and);
    }
  }

  /** A journal that remembers how far it was read. */
  private static final class Followed implements Iterable<JournalRow> {
    private final Iterable<JournalRow> journal;
    private long last;

    Followed(Iterable<JournalRow> journal) {
      this.journal = journal;
    }

    @Override
    public Iterator<JournalRow> iterator() {
      Iterator<JournalRow> rows = journal.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return rows.hasNext();
        }

        @Override
        public JournalRow next() {
          JournalRow row = rows.next();
          last = row.seq();
          return row;
        }
      };
    }
  }
}
