package dev.hapax.flow;

import java.util.List;

/**
 * A part of a run's history.
 *
 * @param entries in the order in which they happened
 * @param hasMore whether more entries follow the last one of these
 */
public record HistoryPage(List<HistoryEntry> entries, boolean hasMore) {
  public HistoryPage {
    entries = List.copyOf(entries);
  }
}
