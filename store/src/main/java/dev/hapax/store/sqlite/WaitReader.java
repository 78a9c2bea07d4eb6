package dev.hapax.store.sqlite;

import dev.hapax.run.Fingerprint;
import dev.hapax.run.Wait;
import dev.hapax.store.ApprovalFilter;
import dev.hapax.store.WaitReads;
import dev.hapax.store.jdbc.Prepared;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries on {@code wait}, each on a connection of its own. Safe for many threads. */
final class WaitReader implements WaitReads {
  private static final String WAIT = "SELECT " + WaitMapping.COLUMNS + " FROM wait WHERE ";

  /** %s lets the planner see that the partial index covers what is open. */
  private static final String APPROVALS =
      WAIT
          + """
          tenant = :tenant AND number < :before AND kind = 'approval' AND %s
            AND (:role IS NULL OR roles = '[]' OR EXISTS (SELECT 1 FROM json_each(roles) WHERE value = :role))
          ORDER BY number DESC LIMIT :limit
          """;

  private static final String LATER =
      """
      SELECT wait, at, by, later_answer.decision
      FROM (SELECT number FROM wait WHERE run = :run) JOIN later_answer ON wait = number
      ORDER BY at, later_answer.op
      """;

  /** Lends a connection for one query. */
  interface Connections {
    <T extends @Nullable Object> T lend(Query<T> query);
  }

  /** What is asked on it. */
  @FunctionalInterface
  interface Query<T extends @Nullable Object> {
    T on(Connection connection) throws SQLException;
  }

  private final Connections connections;

  WaitReader(Connections connections) {
    this.connections = connections;
  }

  @Override
  public @Nullable Wait find(long number) {
    return connections.<@Nullable Wait>lend(
        connection -> {
          try (var query = new Prepared(connection, WAIT + "number = :number")) {
            return query.with(number).first(WaitMapping::of);
          }
        });
  }

  @Override
  public @Nullable Wait find(Fingerprint token) {
    return connections.<@Nullable Wait>lend(
        connection -> {
          try (var query = new Prepared(connection, WAIT + "token = :token")) {
            return query.with(token.bytes()).first(WaitMapping::of);
          }
        });
  }

  @Override
  public List<Wait> ofRun(long run) {
    return connections.lend(
        connection -> {
          try (var query = new Prepared(connection, WAIT + "run = :run ORDER BY number")) {
            return query.with(run).all(WaitMapping::of);
          }
        });
  }

  @Override
  public List<Wait> approvals(ApprovalFilter filter) {
    Wait.State state = filter.state();
    String part = state == null ? "TRUE" : "state = '" + state.word() + "'";
    Long before = filter.before();
    return connections.lend(
        connection -> {
          try (var query = new Prepared(connection, APPROVALS.formatted(part))) {
            return query
                .with(filter.tenant())
                .with(before == null ? Long.MAX_VALUE : before)
                .with(filter.role())
                .with(filter.limit())
                .all(WaitMapping::of);
          }
        });
  }

  @Override
  public List<Wait.LaterAnswer> laterAnswers(long run) {
    return connections.lend(
        connection -> {
          try (var query = new Prepared(connection, LATER)) {
            return query
                .with(run)
                .all(
                    row ->
                        new Wait.LaterAnswer(
                            row.number(1), row.at(2), row.textOrNull(3), row.text(4)));
          }
        });
  }
}
