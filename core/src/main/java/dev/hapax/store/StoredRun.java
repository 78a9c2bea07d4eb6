package dev.hapax.store;

import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import java.util.List;

/**
 * A run and its journal, in order, without the rows in lanes, from the requested row on.
 *
 * @param seq where the whole journal ends
 */
public record StoredRun(Run run, long seq, List<JournalRow> journal) {}
