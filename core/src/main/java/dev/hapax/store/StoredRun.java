package dev.hapax.store;

import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import java.util.List;

/**
 * A run and its journal, in order, without what lies in lanes, from where it was asked for.
 *
 * @param seq where the whole journal ends
 */
public record StoredRun(Run run, long seq, List<JournalRow> journal) {}
