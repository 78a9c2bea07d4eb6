package dev.hapax.store.jdbc;

import dev.hapax.flow.ApprovalFilter;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.WaitReads;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries on {@code wait}, each on its own connection. Safe for many threads. */
public final class WaitReader implements WaitReads {
  private static final String WAIT = "SELECT " + WaitMapping.COLUMNS + " FROM wait WHERE ";

  /** %s lets the planner see that the partial index covers open waits. */
  private static final String APPROVALS =
      WAIT
          + """
          tenant = :tenant AND number < :before AND kind = 'approval' AND %s
            AND (:role IS NULL OR roles = '[]' OR :role IN (%s))
          ORDER BY number DESC LIMIT :limit
          """;

  /** A step without an item differs from one with an empty item; the first round has none. */
  private static final String APPROVAL_OF_STEP =
      WAIT
          + """
          run = :run AND kind = 'approval' AND step = :step AND coalesce(item, '') = :item
            AND CASE WHEN item IS NULL THEN 0 ELSE 1 END = :has_item AND coalesce(round, 1) = :round
          ORDER BY number DESC LIMIT 1
          """;

  private static final String LATER =
      """
      SELECT wait, at, by, later_answer.decision
      FROM (SELECT number FROM wait WHERE run = :run) AS own JOIN later_answer ON wait = number
      ORDER BY at, later_answer.op
      """;

  /** Lends a session for one query. */
  public interface Connections {
    <T extends @Nullable Object> T lend(Query<T> query);
  }

  /** A query on the lent session. */
  @FunctionalInterface
  public interface Query<T extends @Nullable Object> {
    T on(Session session) throws SQLException;
  }

  private final Connections connections;

  public WaitReader(Connections connections) {
    this.connections = connections;
  }

  @Override
  public @Nullable Wait find(long number) {
    return connections.<@Nullable Wait>lend(
        session -> {
          try (var query = session.prepare(WAIT + "number = :number")) {
            return query.with(number).first(WaitMapping::of);
          }
        });
  }

  @Override
  public @Nullable Wait find(Fingerprint token) {
    return connections.<@Nullable Wait>lend(
        session -> {
          try (var query = session.prepare(WAIT + "token = :token")) {
            return query.with(token.bytes()).first(WaitMapping::of);
          }
        });
  }

  @Override
  public List<Wait> ofRun(long run) {
    return connections.lend(
        session -> {
          try (var query = session.prepare(WAIT + "run = :run ORDER BY number")) {
            return query.with(run).all(WaitMapping::of);
          }
        });
  }

  @Override
  public @Nullable Wait approval(long run, Step step) {
    return connections.<@Nullable Wait>lend(
        session -> {
          try (var query = session.prepare(APPROVAL_OF_STEP)) {
            return query
                .with(run)
                .with(step.name())
                .with(step.item() == null ? "" : step.item())
                .with(step.item() == null ? 0 : 1)
                .with(step.roundNumber())
                .first(WaitMapping::of);
          }
        });
  }

  @Override
  public List<Wait> approvals(ApprovalFilter filter) {
    WaitState state = filter.state();
    String part = state == null ? "TRUE" : "state = '" + state.word() + "'";
    Long before = filter.before();
    return connections.lend(
        session -> {
          try (var query =
              session.prepare(APPROVALS.formatted(part, session.dialect().elements("roles")))) {
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
        session -> {
          try (var query = session.prepare(LATER)) {
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
