package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Erased;
import dev.hapax.flow.Run;
import dev.hapax.flow.SearchFields;
import dev.hapax.json.Json;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.SearchEntry;
import dev.hapax.run.journal.Answer.RunErased;
import dev.hapax.run.journal.Answer.RunErased.Outcome;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.ErasedJournal;
import dev.hapax.run.retention.ErasureRule;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer's statements that erase values for people. Erasing is rare, so that each statement is
 * prepared when it is needed.
 */
final class SubjectRows {
  private static final String NOTE =
      """
      INSERT INTO subject_erasure (number, tenant, subject, at, actor, reason, external_ids, scans, ended_at, runs)
      VALUES (:number, :tenant, :subject, :at, :actor, :reason, :external_ids, :scans, :ended_at, :runs)
      ON CONFLICT DO NOTHING
      """;

  private static final String END =
      "UPDATE subject_erasure SET ended_at = :at, runs = :runs WHERE number = :number AND ended_at IS NULL";

  private static final String RUN =
      """
      UPDATE run SET key = :key, input = :input, output = :output, error = :error, cancel = :cancel, started_by = NULL,
        gate = NULL, search = :search
      WHERE number = :run
      """;

  private static final String WAIT =
      "UPDATE wait SET item = :item, ask = :ask, on_expire = :on_expire, decision = :decision, by = :by WHERE number = :number";

  private static final String JOURNAL =
      """
      SELECT run, seq, op, at, entries, answers, lane FROM journal WHERE run = :run AND seq > :after
      ORDER BY seq LIMIT :most
      """;

  private static final String REWRITE =
      "UPDATE journal SET entries = :entries, answers = :answers, lane = :lane WHERE run = :run AND seq = :seq";

  private static final String EFFECT =
      """
      UPDATE effect SET key = :key, item = :item, request = NULL, result = :result, external_id = :external_id,
        evidence = :evidence
      WHERE number = :effect
      """;

  private static final String REVISIONS =
      "UPDATE revision SET result = :result WHERE effect = :effect AND run = :run AND result IS NOT NULL";

  /** Few rows: the partial index holds no effect that went well. */
  private static final String OWNS_OPEN_EFFECT =
      """
      SELECT 1 FROM effect
      WHERE (state) NOT IN ('pending', 'done') AND (state) NOT IN ('failed', 'abandoned', 'undone') AND run = :run
      LIMIT 1
      """;

  private static final String EVENTS =
      """
      UPDATE inbox SET payload = :payload, detail = CASE WHEN detail IS NULL THEN NULL ELSE :text END
      WHERE number IN (%s) AND tenant = :tenant
      """;

  private final Session session;
  private final RunLock lock;

  SubjectRows(Session session) throws SQLException {
    this.session = session;
    this.lock = new RunLock(session);
  }

  void note(ErasureRecord erasure) throws SQLException {
    try (Prepared note = session.prepare(NOTE)) {
      note.with(erasure.number())
          .with(erasure.tenant())
          .with(erasure.subject().hex())
          .with(erasure.at())
          .with(erasure.actor())
          .with(erasure.reason())
          .with(erasure.externalIds() ? 1 : 0)
          .with(erasure.scans() ? 1 : 0)
          .with(erasure.endedAt())
          .with(erasure.runs())
          .update();
    }
  }

  void end(Change.EndErasure end, Instant at) throws SQLException {
    try (Prepared ended = session.prepare(END)) {
      ended.with(at).with(end.runs()).with(end.erasure()).update();
    }
  }

  RunErased erase(Change.EraseRun change, Tables tables, Group group) throws SQLException {
    lock.take(change.run());
    Run run = run(change.run());
    Outcome refusal =
        ErasureRule.refusal(
            run,
            change.tenant(),
            run != null && isOpen(run.parent()),
            run != null && ownsOpenEffect(run.number()));
    if (run == null || refusal != null) {
      return new RunErased(refusal == null ? Outcome.GONE : refusal, 0);
    }
    if (!run.isErased()) {
      begin(run, change, tables, group);
    }
    List<JournalRow> page = journal(run.number(), change.after());
    for (JournalRow row : page) {
      rewrite(new ErasedJournal(run.number(), change.externalIds()).row(row));
      for (EffectReference reference : EffectReference.in(List.of(row))) {
        eraseEffect(run.number(), reference.effect(), change.externalIds(), tables, group.at());
      }
    }
    long next = page.isEmpty() ? change.after() : page.getLast().seq();
    if (page.size() == ErasureRule.MOST_JOURNAL_ROWS) {
      return new RunErased(Outcome.MORE, next);
    }
    finish(run.erased(change.subject()), tables);
    return new RunErased(Outcome.ERASED, next);
  }

  private @Nullable Run run(long number) throws SQLException {
    try (Prepared find =
        session.prepare("SELECT " + RunMapping.COLUMNS + " FROM run WHERE number = :run")) {
      return find.with(number).first(RunMapping::of);
    }
  }

  private boolean isOpen(@Nullable Long parent) throws SQLException {
    Run caller = parent == null ? null : run(parent);
    return caller != null && !caller.status().isEnd();
  }

  private boolean ownsOpenEffect(long run) throws SQLException {
    try (Prepared owns =
        session.prepare(OWNS_OPEN_EFFECT.replace("(state)", session.dialect().unusualState()))) {
      return owns.with(run).first(row -> row.number(1)) != null;
    }
  }

  private void begin(Run run, Change.EraseRun change, Tables tables, Group group)
      throws SQLException {
    Run erased = run.erased(change.subject());
    tables.search().erased(run, erased);
    write(erased, erased.search());
    for (String sql :
        List.of(
            "UPDATE duplicate SET notes = NULL WHERE run = :run",
            "UPDATE forgotten SET reason = 'erased' WHERE run = :run")) {
      try (Prepared statement = session.prepare(sql)) {
        statement.with(run.number()).update();
      }
    }
    eraseWaits(run.number());
    tables.resources().erase(run.number(), group.at());
    var entry = new RunEntry.ValuesErased(change.actor(), change.reason(), change.erasure());
    tables.journal().appendLast(run.number(), group, JournalRow.write(List.of(entry)));
  }

  private void write(Run erased, SearchFields search) throws SQLException {
    try (Prepared update = session.prepare(RUN)) {
      update
          .with(erased.key())
          .with(erased.input())
          .with(erased.output())
          .with(erased.error() == null ? null : Json.write(erased.error()))
          .with(erased.cancel() == null ? null : Json.write(erased.cancel()))
          .with(search.json())
          .with(erased.number())
          .update();
    }
  }

  private void eraseWaits(long run) throws SQLException {
    List<Wait> waits;
    try (Prepared find =
        session.prepare("SELECT " + WaitMapping.COLUMNS + " FROM wait WHERE run = :run")) {
      waits = find.with(run).all(WaitMapping::of);
    }
    try (Prepared update = session.prepare(WAIT)) {
      for (Wait wait : waits) {
        Wait erased = wait.erased();
        update
            .with(erased.step().item())
            .with(erased.ask())
            .with(erased.onExpire())
            .with(erased.decision())
            .with(erased.by())
            .with(erased.number())
            .update();
        eraseLaterAnswers(wait.number());
      }
    }
  }

  private void eraseLaterAnswers(long wait) throws SQLException {
    try (Prepared find =
            session.prepare("SELECT op, decision, by FROM later_answer WHERE wait = :wait");
        Prepared update =
            session.prepare(
                "UPDATE later_answer SET decision = :decision, by = :by WHERE wait = :wait AND op = :op")) {
      for (Later later :
          find.with(wait).all(row -> new Later(row.number(1), row.text(2), row.textOrNull(3)))) {
        update
            .with(Erased.decision(later.decision()))
            .with(Erased.by(later.decision(), later.by()))
            .with(wait)
            .with(later.op())
            .update();
      }
    }
  }

  private record Later(long op, String decision, @Nullable String by) {}

  private List<JournalRow> journal(long run, long after) throws SQLException {
    try (Prepared page = session.prepare(JOURNAL)) {
      return page.with(run).with(after).with(ErasureRule.MOST_JOURNAL_ROWS).all(JournalRows::row);
    }
  }

  private void rewrite(JournalRow row) throws SQLException {
    try (Prepared rewrite = session.prepare(REWRITE)) {
      rewrite
          .with(row.entries())
          .with(row.answers())
          .with(row.item())
          .with(row.run())
          .with(row.seq())
          .update();
    }
  }

  private void eraseEffect(long run, long number, boolean externalIds, Tables tables, Instant at)
      throws SQLException {
    try (Prepared revisions = session.prepare(REVISIONS)) {
      revisions.with(Erased.JSON).with(number).with(run).update();
    }
    EffectRecord row = tables.effects().find(number);
    if (row == null || row.run() != run) {
      return; // another run has sent it since, or it has expired
    }
    EffectRecord erased = ErasureRule.erased(row, externalIds);
    tables.search().remove(List.of(SearchEntry.ofKey(number, row.key())));
    try (Prepared update = session.prepare(EFFECT)) {
      update
          .with(erased.key().key())
          .with(erased.step().item())
          .with(erased.result())
          .with(erased.externalId())
          .with(erased.evidence())
          .with(number)
          .update();
    }
    tables.resources().erase(number, at);
  }

  /** The person's hash goes last: until then the run is found again after a crash. */
  private void finish(Run erased, Tables tables) throws SQLException {
    tables.search().removeRuns(List.of(erased.number()));
    write(erased, SearchFields.NONE);
  }

  void erase(Change.EraseMentions change) throws SQLException {
    try (Prepared events = session.prepare(EVENTS, ":events");
        Prepared items =
            session.prepare(
                """
                UPDATE job_item SET key = NULL, detail = NULL, problem = CASE WHEN problem IS NULL THEN NULL ELSE :text END
                WHERE subject = :subject AND job IN (SELECT number FROM job WHERE tenant = :tenant)
                """)) {
      if (!change.events().isEmpty()) {
        events
            .with(Erased.JSON)
            .with(Erased.TEXT)
            .with(Json.write(change.events()))
            .with(change.tenant())
            .update();
      }
      for (String subject : change.subjects()) {
        items.with(Erased.TEXT).with(subject).with(change.tenant()).update();
      }
    }
  }
}
