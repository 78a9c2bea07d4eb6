package dev.hapax.store.jdbc;

import dev.hapax.flow.RunStatus;
import dev.hapax.store.OpenWork;
import dev.hapax.time.IdSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is open. Each question has an index without the rows that have ended; its condition
 * repeats that of the index, so that every database sees that it fits. Used by one thread.
 */
final class OpenWorkReader {
  /** Runs in memory; these are in no index by status. */
  private static final String RUNNING =
      """
      SELECT flow, count(*) FROM run WHERE owner IS NOT NULL AND status = 'running' GROUP BY flow
      """;

  private static final String BY_STATUS =
      """
      SELECT count(*) FROM run WHERE status = :status AND status NOT IN ('running', 'succeeded')
      """;

  private static final String BY_FLOW =
      """
      SELECT flow, count(*) FROM (
        SELECT flow FROM run WHERE status = :status AND status NOT IN ('running', 'succeeded')
        ORDER BY number DESC LIMIT :newest) AS newest GROUP BY flow
      """;

  /** The column before the comparison is that of the database's index. */
  private static final String EFFECTS =
      """
      SELECT count(*) FROM effect WHERE (state) = :state AND state NOT IN ('pending', 'done')
      """;

  private static final String APPROVALS =
      "SELECT count(*), min(number) FROM wait WHERE kind = 'approval' AND state = 'open'";

  private final Session session;

  OpenWorkReader(Session session) {
    this.session = session;
  }

  private record Approvals(long count, @Nullable Long first) {}

  OpenWork read(int newest) throws SQLException {
    var runs = new ArrayList<OpenWork.Runs>();
    var byFlow = new ArrayList<OpenWork.Runs>();
    for (RunStatus status : RunStatus.values()) {
      if (!status.isEnd()) {
        List<OpenWork.Runs> flows = status == RunStatus.RUNNING ? running() : of(status, newest);
        long count =
            status == RunStatus.RUNNING
                ? flows.stream().mapToLong(OpenWork.Runs::count).sum()
                : count(BY_STATUS, status.word());
        if (count > 0) {
          runs.add(new OpenWork.Runs(null, status, count));
          byFlow.addAll(flows);
        }
      }
    }
    String effects = EFFECTS.replace("(state)", session.dialect().unusualState());
    Approvals approvals = approvals();
    Long first = approvals.first();
    return new OpenWork(
        runs,
        byFlow,
        count(effects, "doubt"),
        count(effects, "review"),
        approvals.count(),
        first == null ? null : IdSource.timeOf(first),
        inLine());
  }

  private List<OpenWork.Runs> running() throws SQLException {
    try (var query = session.prepare(RUNNING)) {
      return query.all(row -> new OpenWork.Runs(row.text(1), RunStatus.RUNNING, row.number(2)));
    }
  }

  private List<OpenWork.Runs> of(RunStatus status, int newest) throws SQLException {
    try (var query = session.prepare(BY_FLOW)) {
      return query
          .with(status.word())
          .with(newest)
          .all(row -> new OpenWork.Runs(row.text(1), status, row.number(2)));
    }
  }

  private long count(String sql, String word) throws SQLException {
    try (var query = session.prepare(sql)) {
      Long count = query.with(word).first(row -> row.number(1));
      return count == null ? 0 : count;
    }
  }

  private Approvals approvals() throws SQLException {
    try (var query = session.prepare(APPROVALS)) {
      Approvals found = query.first(row -> new Approvals(row.number(1), row.numberOrNull(2)));
      return found == null ? new Approvals(0, null) : found;
    }
  }

  private long inLine() throws SQLException {
    try (var query = session.prepare("SELECT count(*) FROM line")) {
      Long count = query.first(row -> row.number(1));
      return count == null ? 0 : count;
    }
  }
}
