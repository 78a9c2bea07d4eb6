package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flows.step.DestinationList;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the list of a target page by page, and then the rows of the ledger that the list did not
 * have. Used by one thread.
 */
final class ListPages {
  private static final int ROWS = 200;
  private static final int LONGEST_CURSOR = 4_096;

  private final Hapax hapax;
  private final ReconcileWish wish;
  private final ReconcileSources sources;
  private final Clock clock;
  private final SeenKeys seen = new SeenKeys();

  /** The cursors of the pages that were read; a restart forgets them. */
  private final Set<String> read = new HashSet<>();

  ListPages(Hapax hapax, ReconcileWish wish, ReconcileSources sources, Clock clock) {
    this.hapax = hapax;
    this.wish = wish;
    this.sources = sources;
    this.clock = clock;
  }

  /** Reads a page of the list. */
  ReconciledPage listed(RunContext round, ReconcileState state, ReconcileWish.Target target) {
    DestinationList list = sources.list(wish.tenant(), wish.flow(), wish.release(), target.step());
    if (list == null) {
      throw new IllegalStateException(
          "release %d of flow '%s' has no list of step '%s'"
              .formatted(wish.release(), wish.flow(), target.step()));
    }
    Map<String, @Nullable Object> asked = new LinkedHashMap<>();
    asked.put("number", state.page());
    asked.put("cursor", state.cursor());
    asked.put("from", wish.from());
    asked.put("to", wish.to());
    ReconciledPage page =
        round.read(
            ReconcileFlow.PAGE,
            list.read(),
            () -> {
              Instant now = clock.now();
              DestinationList.Page found = list.page(round, asked);
              refuse(found.next(), state, target);
              return new PageComparison(hapax.ledger(), list, target, seen).of(found).askedAt(now);
            },
            ReconciledPage.class);
    seen.add(page.keys());
    if (state.cursor() != null) {
      read.add(state.cursor());
    }
    return page;
  }

  private void refuse(@Nullable String next, ReconcileState state, ReconcileWish.Target target) {
    if (next == null) {
      return;
    }
    if (next.equals(state.cursor())) {
      throw new Rejected(
          "same-cursor",
          "effect.reconcile.next of step '%s' gives the cursor of the page itself"
              .formatted(target.step()));
    }
    if (read.contains(next)) {
      throw new Rejected(
          "same-cursor",
          "effect.reconcile.next of step '%s' gives the cursor of a page before, so the list would never end"
              .formatted(target.step()));
    }
    if (next.length() > LONGEST_CURSOR) {
      throw new Rejected(
          "cursor-too-long",
          "effect.reconcile.next of step '%s' gives a cursor of %,d characters; expected at most %,d"
              .formatted(target.step(), next.length(), LONGEST_CURSOR));
    }
  }

  /**
   * Looks at rows of the ledger that were done before the list was read. That the list lacks one
   * settles nothing.
   */
  ReconciledPage missing(ReconcileState state, ReconcileWish.Target target) {
    long before = Objects.requireNonNull(state.before());
    LedgerPage page = LedgerPage.of(hapax, wish, target.effect(), before, ROWS, EffectState.DONE);
    var tally = new FindingTotals(hapax.ledger(), target.step());
    var newer = new DoneAfterList(hapax, state.listed());
    for (EffectRecord row : page.rows()) {
      if (!seen.has(SeenKeys.hash(row.key().key())) && !newer.has(row)) {
        tally.missing(row);
      }
    }
    return tally.page(page.next(), "");
  }

  /** Makes it know the keys of all pages before this state. */
  void know(String run, ReconcileState state) {
    if (!wish.byLookup(state.target()) && !seen.isBefore(state)) {
      readAgain(run, state);
    }
  }

  void begin(int target) {
    read.clear();
    seen.begin(target);
  }

  /** After a restart, reads the keys of the target's pages from the run's own journal. */
  private void readAgain(String run, ReconcileState state) {
    seen.begin(state.target());
    int target = 0;
    boolean isLedger = wish.byLookup(0);
    for (HistoryEntry entry : hapax.historyOf(run)) {
      if (seen.isBefore(state)) {
        return;
      }
      String output = ReconcileFlow.pageIn(hapax, entry);
      if (output == null) {
        continue;
      }
      ReconciledPage known = Json.read(output, ReconciledPage.class);
      if (target == state.target() && !isLedger) {
        seen.add(known.keys());
      }
      boolean isEnd = known.next() == null;
      if (isLedger && isEnd) {
        target++;
        isLedger = wish.byLookup(target);
      } else {
        isLedger = isLedger || isEnd;
      }
    }
  }
}
