package dev.hapax.store.jdbc;

import dev.hapax.flow.Fingerprint;
import dev.hapax.json.Json;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code wait}, {@code later_answer} and {@code secret}. */
final class WaitRows {
  private static final String INSERT =
      """
      INSERT INTO wait (number, token, tenant, run, step, item, round, kind, state, awaited, ask, roles, can_rework,
        created_at, expires_at, on_expire, key_version, not_by_starter, needs_token)
      VALUES (:number, :token, :tenant, :run, :step, :item, :round, :kind, 'open', :awaited, :ask, :roles, :can_rework,
        :created_at, :expires_at, :on_expire, :key_version, :not_by_starter, :needs_token)
      ON CONFLICT DO NOTHING
      """;

  private static final String TAKE_TOKEN =
      "UPDATE wait SET token = NULL WHERE token = :token AND run <> :run";

  private static final String AWAIT =
      """
      UPDATE wait SET awaited = 1, expires_at = CASE state WHEN 'open' THEN :expires_at ELSE expires_at END
      WHERE number = :number RETURNING state <> 'open'
      """;

  private static final String SETTLE =
      """
      UPDATE wait SET state = :state, op = :op, decision = :decision, by = :by, settled_at = :at
      WHERE number = :number
      """;

  private static final String KEEP =
      """
      INSERT INTO later_answer (wait, op, at, by, decision) VALUES (:wait, :op, :at, :by, :decision)
      ON CONFLICT DO NOTHING
      """;

  private static final String CLOSE =
      """
      UPDATE wait SET state = 'closed', op = :op, settled_at = :at
      WHERE run = :run AND state = 'open' AND kind <> :kept
      """;

  private static final String REOPEN =
      """
      UPDATE wait SET state = 'open', expires_at = NULL, op = NULL, decision = NULL, by = NULL, settled_at = NULL
      WHERE run = :run AND kind = 'callback' AND state IN ('expired', 'closed')
      """;

  private static final String MAKE_SECRET =
      "INSERT INTO secret (name, value) VALUES ('token', :value) ON CONFLICT DO NOTHING";

  static final String SECRET = "SELECT value FROM secret WHERE name = 'token'";

  private final Prepared insert;
  private final Prepared takeToken;
  private final Prepared await;
  private final Prepared find;
  private final Prepared settle;
  private final Prepared keep;
  private final Prepared close;
  private final Prepared reopen;
  private final Prepared makeSecret;
  private final Prepared secret;

  WaitRows(Session session) throws SQLException {
    this.insert = session.prepare(INSERT);
    this.takeToken = session.prepare(TAKE_TOKEN);
    this.await = session.prepare(AWAIT);
    this.find =
        session.prepare(
            "SELECT "
                + WaitMapping.COLUMNS
                + " FROM wait WHERE number = :number"
                + session.dialect().forUpdate());
    this.settle = session.prepare(SETTLE);
    this.keep = session.prepare(KEEP);
    this.close = session.prepare(CLOSE);
    this.reopen = session.prepare(REOPEN);
    this.makeSecret = session.prepare(MAKE_SECRET);
    this.secret = session.prepare(SECRET);
  }

  void open(Wait wait) throws SQLException {
    Fingerprint token = wait.token();
    if (tryInsert(wait) == 0
        && token != null
        && takeToken.with(token.bytes()).with(wait.run()).update() == 1) {
      tryInsert(wait);
    }
  }

  private int tryInsert(Wait wait) throws SQLException {
    return insert
        .with(wait.number())
        .with(EffectMapping.bytes(wait.token()))
        .with(wait.tenant())
        .with(wait.run())
        .with(wait.step().name())
        .with(wait.step().item())
        .with(WaitMapping.round(wait.step()))
        .with(wait.kind().word())
        .with(wait.isAwaited() ? 1 : 0)
        .with(wait.ask())
        .with(Json.write(wait.roles()))
        .with(wait.canRework() ? 1 : 0)
        .with(wait.createdAt())
        .with(wait.expiresAt())
        .with(wait.onExpire())
        .with(wait.keyVersion())
        .with(wait.limits().notByStarter() ? 1 : 0)
        .with(wait.limits().needsToken() ? 1 : 0)
        .update();
  }

  /** Returns whether the wait is already settled; null if it does not exist. */
  @Nullable Boolean await(Change.AwaitWait change) throws SQLException {
    return await.with(change.expiresAt()).with(change.number()).first(row -> row.flag(1));
  }

  @Nullable Wait find(long number) throws SQLException {
    return find.with(number).first(WaitMapping::of);
  }

  void settle(Wait after) throws SQLException {
    settle
        .with(after.state().word())
        .with(after.op())
        .with(after.decision())
        .with(after.by())
        .with(after.settledAt())
        .with(after.number())
        .update();
  }

  void keep(Change.AnswerWait answer, long op, Instant at) throws SQLException {
    keep.with(answer.number()).with(op).with(at).with(answer.by()).with(answer.decision()).update();
  }

  void close(long run, boolean keepCallbacks, long op, Instant at) throws SQLException {
    String kept = keepCallbacks ? Wait.Kind.CALLBACK.word() : "";
    close.with(op).with(at).with(run).with(kept).update();
  }

  void reopen(long run) throws SQLException {
    reopen.with(run).update();
  }

  byte[] secret(byte[] fresh) throws SQLException {
    makeSecret.with(fresh).update();
    byte[] stored = secret.first(row -> row.bytes(1));
    if (stored == null) {
      throw new SQLException("the store's secret key is gone");
    }
    return stored;
  }

  /** Returns null if none was made, or it was erased. */
  byte @Nullable [] secret() throws SQLException {
    return secret.first(row -> row.bytes(1));
  }
}
