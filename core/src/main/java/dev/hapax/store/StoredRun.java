package dev.hapax.store;

import dev.hapax.flow.Run;
import dev.hapax.run.journal.JournalRow;
import java.util.List;

/**
 * A run and its journal, in order, without the rows of items, from the requested row on.
 *
 * @param seq where the whole journal ends
 */
public record StoredRun(Run run, long seq, List<JournalRow> journal) {}
