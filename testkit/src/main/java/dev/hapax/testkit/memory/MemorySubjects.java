package dev.hapax.testkit.memory;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.SearchFields;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.journal.Answer.RunErased;
import dev.hapax.run.journal.Answer.RunErased.Outcome;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.ErasedJournal;
import dev.hapax.run.retention.ErasureRule;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Erases the values of runs in a store in memory. */
final class MemorySubjects {
  private final MemoryTables tables;
  private final Instant at;

  MemorySubjects(MemoryTables tables, Instant at) {
    this.tables = tables;
    this.at = at;
  }

  RunErased erase(Change.EraseRun change, long op) {
    Run run = tables.run(change.run());
    Outcome refusal =
        ErasureRule.refusal(
            run,
            change.tenant(),
            run != null && isOpen(run.parent()),
            run != null && tables.ledger().ownsOpenEffect(run.number()));
    if (run == null || refusal != null) {
      return new RunErased(refusal == null ? Outcome.GONE : refusal, 0);
    }
    if (!run.isErased()) {
      begin(run, change, op);
    }
    List<JournalRow> page =
        tables.journal(run.number()).stream()
            .filter(row -> row.seq() > change.after())
            .limit(ErasureRule.MOST_JOURNAL_ROWS)
            .toList();
    page.forEach(row -> eraseRow(run, row, change.externalIds()));
    if (page.size() == ErasureRule.MOST_JOURNAL_ROWS) {
      return new RunErased(Outcome.MORE, page.getLast().seq());
    }
    tables.put(RunEdit.of(run.erased(change.subject())).search(SearchFields.NONE).toRun());
    return new RunErased(Outcome.ERASED, page.isEmpty() ? change.after() : page.getLast().seq());
  }

  private boolean isOpen(@Nullable Long parent) {
    Run caller = parent == null ? null : tables.run(parent);
    return caller != null && !caller.status().isEnd();
  }

  private void begin(Run run, Change.EraseRun change, long op) {
    tables.put(run.erased(change.subject()));
    tables.removeStoppedNotes(run.number());
    for (Wait wait : tables.waits()) {
      if (wait.run() == run.number()) {
        tables.put(wait.erased());
        tables.eraseLaterAnswers(wait.number());
      }
    }
    tables.resources().erase(run.number(), at);
    var entry = new RunEntry.ValuesErased(change.actor(), change.reason(), change.erasure());
    tables.put(
        new JournalRow(
            run.number(),
            tables.lastSeq(run.number()) + 1,
            op,
            at,
            JournalRow.write(List.of(entry)),
            null));
  }

  private void eraseRow(Run run, JournalRow row, boolean externalIds) {
    tables.put(new ErasedJournal(run.number(), externalIds).row(row));
    for (EffectReference reference : EffectReference.in(List.of(row))) {
      tables.ledger().eraseRevisions(reference.effect(), run.id().toString());
      EffectRecord effect = tables.ledger().find(reference.effect());
      if (effect != null && effect.run() == run.number()) {
        tables.ledger().put(ErasureRule.erased(effect, externalIds));
        tables.resources().erase(effect.number(), at);
      }
    }
  }

  void end(Change.EndErasure end) {
    ErasureRecord open = tables.erasures().get(end.erasure());
    if (open != null && open.endedAt() == null) {
      tables.put(open.ended(at, end.runs()));
    }
  }
}
