package dev.hapax.store;

import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import java.util.List;

/** A run and its whole journal, in order. */
public record StoredRun(Run run, List<JournalRow> journal) {}
