package dev.hapax.testkit.promise;

import dev.hapax.flow.Step;
import dev.hapax.run.journal.JournalRow;
import java.util.List;

/**
 * The code of a pure or read step was called.
 *
 * @param release of the code that was called
 * @param journal of the run at this moment
 */
public record StepCall(String run, Step step, int release, List<JournalRow> journal) {}
