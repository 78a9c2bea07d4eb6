package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the effects that a reconciliation found missing, from its own journal.
 *
 * @param next where the others begin; null if there are none
 */
record Missing(List<ReconciledPage.Finding> findings, @Nullable Place next) {
  static final Place FIRST = new Place(0, 0);
  private static final int HISTORY = 200;

  /**
   * A place in the journal.
   *
   * @param seq of an entry
   * @param done how many of its effects come before the place
   */
  record Place(long seq, int done) {
    @Override
    public String toString() {
      return seq + "." + done;
    }
  }

  /** Reads at most so many. */
  static Missing after(Hapax hapax, String run, Place place, int most) {
    List<ReconciledPage.Finding> some = new ArrayList<>();
    long after = Math.max(0, place.seq() - 1);
    HistoryPage page;
    do {
      page = hapax.history(run, after, HISTORY);
      for (HistoryEntry entry : page.entries()) {
        List<ReconciledPage.Finding> here = in(hapax, entry);
        int from = entry.seq() == place.seq() ? Math.min(place.done(), here.size()) : 0;
        int to = Math.min(here.size(), from + most - some.size());
        some.addAll(here.subList(from, to));
        if (to < here.size()) {
          return new Missing(List.copyOf(some), new Place(entry.seq(), to));
        }
      }
      after = page.entries().isEmpty() ? after : page.entries().getLast().seq();
    } while (page.hasMore());
    return new Missing(List.copyOf(some), null);
  }

  private static List<ReconciledPage.Finding> in(Hapax hapax, HistoryEntry entry) {
    String recorded = ReconcileFlow.pageIn(hapax, entry);
    return recorded == null
        ? List.of()
        : Json.read(recorded, ReconciledPage.class).findings().stream()
            .filter(finding -> finding.result().equals("missing"))
            .toList();
  }
}
