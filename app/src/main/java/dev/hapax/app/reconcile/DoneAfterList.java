package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says which effects were done after a destination began to give its list: that the list does not
 * have them means nothing. Used by one thread.
 */
final class DoneAfterList {
  private final Hapax hapax;
  private final @Nullable Instant listed;
  private final Map<Long, Map<Place, Instant>> known = new HashMap<>();

  /** A revision of an effect in the history of its run. */
  private record Place(Step step, int revision) {}

  /**
   * @param listed when the first page of the list was asked for; null if that is not known
   */
  DoneAfterList(Hapax hapax, @Nullable String listed) {
    this.hapax = hapax;
    this.listed = listed == null ? null : Instant.parse(listed);
  }

  boolean has(EffectRecord row) {
    if (listed == null) {
      return false;
    }
    if (row.number() >= IdSource.firstAt(listed.plusMillis(1))) {
      return true;
    }
    Run owner = row.isImported() ? null : hapax.findRun(row.run());
    Instant end = owner == null ? null : owner.endedAt();
    if (owner == null || (end != null && !end.isAfter(listed))) {
      return false;
    }
    Instant done =
        known
            .computeIfAbsent(owner.number(), _ -> doneIn(owner))
            .get(new Place(row.step().inRound(1), row.revision()));
    return done != null && done.isAfter(listed);
  }

  /** When each effect of the run was done first: a replay says once more that it is. */
  private Map<Place, Instant> doneIn(Run owner) {
    Map<Place, Instant> done = new HashMap<>();
    for (HistoryEntry entry : hapax.historyOf(owner.id().toString())) {
      String step = entry.step();
      Integer revision = entry.revision();
      if (step != null && revision != null && EffectState.DONE.word().equals(entry.state())) {
        done.putIfAbsent(new Place(new Step(step, entry.item()), revision), entry.at());
      }
    }
    return done;
  }
}
