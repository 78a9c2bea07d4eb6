package dev.hapax.store.jdbc;

import dev.hapax.flow.JobItem;
import dev.hapax.json.Json;
import dev.hapax.run.JobRecord;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code job} and {@code job_item}. Jobs are rare. */
final class JobRows {
  private static final String INSERT =
      "INSERT INTO job ("
          + JobMapping.COLUMNS
          + """
          ) VALUES (:number, :tenant, :id, :kind, :state, :spec, :totals, :done, :failed, :skipped, :rate, :created_by,
            :applied_by, :created_at, :ended_at, :problem, :turn, :selected, :place, :version)
          ON CONFLICT (tenant, id) DO NOTHING
          """;

  /** Without the spec, which may be large and rarely changes. */
  private static final String UPDATE =
      """
      UPDATE job SET state = :state, totals = :totals, done = :done, failed = :failed, skipped = :skipped, rate = :rate,
        applied_by = :applied_by, ended_at = :ended_at, problem = :problem, turn = :turn, selected = :selected,
        place = :place, version = :version
      WHERE tenant = :tenant AND id = :id AND version = :found
      """;

  private static final String UPDATE_SPEC =
      "UPDATE job SET spec = :spec WHERE tenant = :tenant AND id = :id AND version = :version";

  private static final String REMOVE_ITEMS =
      """
      DELETE FROM job_item WHERE job = :job AND EXISTS (SELECT 1 FROM job WHERE number = :job AND tenant = :tenant)
        AND position IN (SELECT position FROM job_item WHERE job = :job ORDER BY position LIMIT :most)
      """;

  private static final String REMOVE =
      """
      DELETE FROM job WHERE number = :job AND tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM job_item WHERE job_item.job = job.number)
      """;

  private final Prepared version;
  private final Prepared insert;
  private final Prepared update;
  private final Prepared updateSpec;
  private final Prepared putItems;
  private final Prepared removeItems;
  private final Prepared remove;

  JobRows(Session session) throws SQLException {
    this.version =
        session.prepare(
            "SELECT version FROM job WHERE tenant = :tenant AND id = :id"
                + session.dialect().forUpdate());
    this.insert = session.prepare(INSERT);
    this.update = session.prepare(UPDATE);
    this.updateSpec = session.prepare(UPDATE_SPEC);
    this.putItems =
        session.prepare(
            "INSERT INTO job_item (job, position, subject, flow, key, state, detail, problem, at) "
                + session.dialect().jobItems(":items")
                + """
                 ON CONFLICT (job, position) DO UPDATE SET state = excluded.state, detail = excluded.detail,
                  problem = excluded.problem, at = excluded.at
                """);
    this.removeItems = session.prepare(REMOVE_ITEMS);
    this.remove = session.prepare(REMOVE);
  }

  /** Returns whether the change holds: no other caller has written meanwhile. */
  boolean put(Change.PutJob change, long op) throws SQLException {
    JobRecord row = change.job();
    Long present = version.with(row.tenant()).with(row.id()).first(found -> found.number(1));
    long found = present == null ? 0 : present;
    boolean isWritten =
        change.holdsAt(found, op) && (found == 0 ? insert(row, op) : update(row, found, op)) == 1;
    if (isWritten && found != 0 && change.hasNewSpec()) {
      updateSpec.with(row.spec()).with(row.tenant()).with(row.id()).with(op).update();
    }
    return isWritten;
  }

  private int insert(JobRecord row, long op) throws SQLException {
    return insert
        .with(row.number())
        .with(row.tenant())
        .with(row.id())
        .with(row.kind())
        .with(row.state().word())
        .with(row.spec())
        .with(row.totalsText())
        .with(row.done())
        .with(row.failed())
        .with(row.skipped())
        .with(row.rate())
        .with(row.createdBy())
        .with(row.appliedBy())
        .with(row.createdAt())
        .with(row.endedAt())
        .with(row.problem())
        .with(row.turn())
        .with(row.isSelected() ? 1 : 0)
        .with(row.place())
        .with(op)
        .update();
  }

  private int update(JobRecord row, long found, long op) throws SQLException {
    return update
        .with(row.state().word())
        .with(row.totalsText())
        .with(row.done())
        .with(row.failed())
        .with(row.skipped())
        .with(row.rate())
        .with(row.appliedBy())
        .with(row.endedAt())
        .with(row.problem())
        .with(row.turn())
        .with(row.isSelected() ? 1 : 0)
        .with(row.place())
        .with(op)
        .with(row.tenant())
        .with(row.id())
        .with(found)
        .update();
  }

  /** In one statement, however many they are. */
  void putItems(Change.PutJobItems change) throws SQLException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (JobItem item : change.items()) {
      refuseNul(item.subject(), item.key(), item.detail(), item.problem());
      List<@Nullable Object> row = new ArrayList<>();
      row.add(change.job());
      row.add(item.position());
      row.add(item.subject());
      row.add(item.flow());
      row.add(item.key());
      row.add(item.state().word());
      row.add(item.detail());
      row.add(item.problem());
      Instant at = item.at();
      row.add(at == null ? null : at.toEpochMilli());
      rows.add(row);
    }
    putItems.with(Json.write(rows)).update();
  }

  /** In JSON it is an ordinary character, and would reach the table of one of the databases. */
  private static void refuseNul(@Nullable String... texts) throws SQLException {
    for (String text : texts) {
      if (text != null && text.indexOf('\0') >= 0) {
        throw Prepared.nul();
      }
    }
  }

  void remove(Change.RemoveJob change) throws SQLException {
    removeItems.with(change.job()).with(change.tenant()).with(change.most()).update();
    remove.with(change.job()).with(change.tenant()).update();
  }
}
