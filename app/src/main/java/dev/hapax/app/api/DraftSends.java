package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.EffectView;
import dev.hapax.app.wire.RunView;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flows.FlowFiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists what a draft would send: the effects of its run and of its child runs, in the order in
 * which they were recorded.
 */
final class DraftSends {
  /** The most effects in an answer; the rest is in {@code GET /api/effects?draft=true}. */
  private static final int MOST = 200;

  private static final int MOST_LINES = 20_000;
  private static final int DEEPEST = 5;

  private final Call call;
  private final Hapax hapax;
  private final Map<Long, EffectView> found = new LinkedHashMap<>();

  private DraftSends(Call call, Hapax hapax) {
    this.call = call;
    this.hapax = hapax;
  }

  /** Returns the run with its effects if it is a draft and the caller may see effects. */
  static RunView in(RunView view, Call call, Hapax hapax, Run run) {
    if (FlowFiles.ownerOfDrafts(run.tenant()) == null
        || !call.actor().may(TokenScope.EFFECTS_READ)) {
      return view;
    }
    var sends = new DraftSends(call, hapax);
    sends.collect(run, 0);
    return view.wouldSend(
        sends.found.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(Map.Entry::getValue)
            .toList());
  }

  private void collect(Run run, int depth) {
    String id = run.id().toString();
    for (HistoryEntry entry : hapax.historyOf(id)) {
      if (entry.seq() > MOST_LINES || found.size() >= MOST) {
        break;
      }
      add(id, entry);
    }
    if (depth < DEEPEST) {
      for (Run child : children(run)) {
        if (found.size() < MOST && call.mayUse(child.flow())) {
          collect(child, depth + 1);
        }
      }
    }
  }

  private List<Run> children(Run run) {
    return hapax.runs(RunFilter.of(run.tenant()).childrenOf(run)).reversed(); // oldest first
  }

  private void add(String run, HistoryEntry entry) {
    String effect = entry.effect();
    if (!entry.type().equals("intent") || effect == null || found.size() >= MOST) {
      return; // only the first intent of an effect names it
    }
    try {
      EffectRecord row = hapax.effect(effect);
      found.putIfAbsent(row.number(), EffectView.of(row, run));
    } catch (NotFound e) {
      // its record has expired
    }
  }
}
