package dev.hapax;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.Hold;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Subject;
import dev.hapax.history.RunHistory;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.journal.Retrying;
import dev.hapax.store.JournalPages;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the records of one tenant. Records of other tenants are not found. */
record TenantRecords(Store store, String tenant, SearchCatchUp search) {

  Run run(String runId) {
    KeyHolder holder = store.holder(RunId.parse(runId));
    if (holder instanceof KeyHolder.Present(var run, var _) && run.tenant().equals(tenant)) {
      return run;
    }
    if (holder instanceof KeyHolder.Expired(var tombstone, var _)
        && tombstone.tenant().equals(tenant)) {
      throw KeyExpired.of(tombstone);
    }
    throw new NotFound("there is no run " + runId, ownerOf(holder));
  }

  private static @Nullable String ownerOf(@Nullable KeyHolder holder) {
    return switch (holder) {
      case null -> null;
      case KeyHolder.Present(var run, var _) -> run.tenant();
      case KeyHolder.Expired(var tombstone, var _) -> tombstone.tenant();
    };
  }

  @Nullable Run find(long number) {
    Run run = store.run(number);
    return run == null || !run.tenant().equals(tenant) ? null : run;
  }

  List<Run> runs(RunFilter filter) {
    if (filter.key() != null || filter.search().isIndexed()) {
      search.forSearch();
    }
    return store.runs(filter.ownedBy(tenant));
  }

  List<HistoryEntry> history(String runId) {
    var entries = new ArrayList<HistoryEntry>();
    lines(run(runId)).forEach(entries::add);
    return List.copyOf(entries);
  }

  HistoryPage history(String runId, long after, int limit) {
    return RunHistory.page(lines(run(runId)), after, limit);
  }

  /** Returns the history of a run; each iteration reads its journal once, row by row. */
  Iterable<HistoryEntry> lines(Run run) {
    long number = run.number();
    return RunHistory.lines(
        run,
        parentOf(run),
        new JournalPages(store, number),
        store.waits().ofRun(number),
        store.waits().laterAnswers(number));
  }

  boolean isRetrying(Run run) {
    return run.endedAt() == null && Retrying.isIn(new JournalPages(store, run.number()));
  }

  private @Nullable RunId parentOf(Run run) {
    Long number = run.parent();
    Run parent = number == null ? null : store.run(number);
    return parent == null ? null : parent.id();
  }

  List<EffectRecord> effects(EffectFilter filter) {
    if (filter.key() != null || filter.search().isIndexed()) {
      search.forSearch();
    }
    return store.effects(filter.ownedBy(tenant));
  }

  EffectRecord effect(String effectId) {
    EffectRecord row = store.effect(EffectRecord.number(effectId));
    if (row == null || !row.key().tenant().equals(tenant)) {
      throw new NotFound("there is no effect " + effectId, row == null ? null : row.key().tenant());
    }
    return row;
  }

  /** Returns the runs that still refer to an effect, at most this many. */
  List<Run> runsOf(EffectRecord effect, int limit) {
    var runs = new ArrayList<Run>();
    for (long number : store.retention().referring(effect.number(), limit)) {
      Run run = store.run(number);
      if (run != null) { // otherwise it was just deleted
        runs.add(run);
      }
    }
    return List.copyOf(runs);
  }

  List<Hold> slots(String flow, @Nullable String key) {
    return store.holds(tenant, Subject.gate(tenant, flow, key));
  }

  List<Hold> locks() {
    return store.holds(tenant, null).stream().filter(hold -> hold.line().isLock()).toList();
  }
}
