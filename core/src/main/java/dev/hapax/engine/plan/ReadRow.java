package dev.hapax.engine.plan;

import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import java.util.List;

/** A row of a journal with its entries, which are parsed once for all who look through them. */
record ReadRow(JournalRow row, List<JournalEntry> entries) {
  static List<ReadRow> of(List<JournalRow> rows) {
    return rows.stream().map(row -> new ReadRow(row, row.readEntries())).toList();
  }
}
