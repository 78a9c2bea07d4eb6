package dev.hapax.store.jdbc;

import dev.hapax.flow.JobItem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobState;
import dev.hapax.run.JobRecord;
import java.sql.SQLException;

/** Makes jobs and their items from rows. */
final class JobMapping {
  static final String COLUMNS =
      "number, tenant, id, kind, state, spec, totals, done, failed, skipped, rate, created_by, applied_by, created_at,"
          + " ended_at, problem, turn, selected, place, version";

  static final String ITEM_COLUMNS = "position, subject, flow, key, state, detail, problem, at";

  private JobMapping() {}

  static JobRecord job(Row row) throws SQLException {
    return new JobRecord(
        row.number(1),
        row.text(2),
        row.text(3),
        row.text(4),
        JobState.of(row.text(5)),
        row.text(6),
        JobRecord.totals(row.text(7)),
        row.number(8),
        row.number(9),
        row.number(10),
        (int) row.number(11),
        row.text(12),
        row.textOrNull(13),
        row.at(14),
        row.atOrNull(15),
        row.textOrNull(16),
        (int) row.number(17),
        row.number(18) == 1,
        row.textOrNull(19),
        row.number(20));
  }

  static JobItem item(Row row) throws SQLException {
    return new JobItem(
        row.number(1),
        row.text(2),
        row.textOrNull(3),
        row.textOrNull(4),
        JobItemState.of(row.text(5)),
        row.textOrNull(6),
        row.textOrNull(7),
        row.atOrNull(8));
  }
}
